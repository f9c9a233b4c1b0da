import type { MailOutcome } from '#lib/providers/mail/port'
import { openSession } from '#lib/providers/mail/session'

const TIMEOUTS = { connect: 5_000, greeting: 5_000, reply: 10_000, send: 20_000, end: 5_000 }

type Credentials = { username: string; password: string }

/** Hands a finished message to a mail server on this machine. An empty sender is the null return path of reports. */
export async function deliverRaw(
  port: number,
  { from, to }: { from: string; to: string },
  raw: string,
  credentials: Credentials | null = null,
): Promise<MailOutcome> {
  const { username, password } = credentials ?? { username: null, password: null }
  const mailbox = { host: '127.0.0.1', port, security: 'none', username, password } as const
  const session = await openSession({ address: '127.0.0.1', mailbox, timeouts: TIMEOUTS })
  if ('outcome' in session) return session
  try {
    return await session.offer({ from, to: [to] }, Buffer.from(raw))
  } finally {
    session.quit()
  }
}
