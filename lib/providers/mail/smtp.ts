import { createHash } from 'node:crypto'
import { composeMail } from '#lib/providers/mail/compose'
import { dkimSignature } from '#lib/providers/mail/dkim'
import { type PoolLimits, SessionPool } from '#lib/providers/mail/pool'
import type {
  MailAddress,
  MailboxConnection,
  MailOutcome,
  MailProvider,
  MayLeave,
  NeverLeft,
  OutgoingMail,
} from '#lib/providers/mail/port'
import { neverLeft, tooLate } from '#lib/providers/mail/reply'
import { type Envelope, openSession, type Session, type SmtpTimeouts } from '#lib/providers/mail/session'
import { type Lookup, type OutboundPolicy, resolveHost } from '#lib/providers/outbound'

export type SmtpProviderOptions = {
  policy: OutboundPolicy
  ehlo_name?: string
  ca?: string
  lookup?: Lookup
  timeouts?: Partial<SmtpTimeouts>
  pool?: Partial<PoolLimits>
}

const TIMEOUTS: SmtpTimeouts = {
  connect: 20_000,
  greeting: 30_000,
  reply: 120_000,
  send: 180_000,
  end: 10_000,
}
/** A person waits for the answer of a test: a server slower than this counts as unreachable. */
const VERIFY: SmtpTimeouts = { connect: 10_000, greeting: 10_000, reply: 15_000, send: 15_000, end: 5_000 }
const POOL: PoolLimits = {
  per_mailbox: 4,
  at_work: 64,
  total: 512,
  idle_ms: 20_000,
  messages: 100,
  wait_ms: 120_000,
}

/**
 * Sends over SMTP with pooled connections. A single `send` can take the pool's wait_ms, plus connecting, plus timeouts.send and
 * end; a caller's lease must be longer than their sum (about 8 minutes by default).
 */
export function createSmtpProvider(options: SmtpProviderOptions): MailProvider {
  const timeouts = { ...TIMEOUTS, ...options.timeouts }
  const pool = new SessionPool({ ...POOL, ...options.pool })
  const open = (mailbox: MailboxConnection) => openAllowed(mailbox, options, timeouts)

  return {
    async send(mailbox, message, mayLeave = () => true) {
      const offer = (fresh: boolean) => offerOnce(pool, open, mailbox, message, { fresh, mayLeave })
      const first = await offer(false)
      // A kept connection may have been closed by the server unnoticed. Nothing was sent, so a fresh one is tried at once.
      if (first.reused && isStale(first.outcome)) return (await offer(true)).outcome
      return first.outcome
    },
    async verify(mailbox, tried) {
      const session = await openAllowed(mailbox, options, { ...VERIFY, ...options.timeouts })
      if ('outcome' in session) return { ok: false, reason: session.reason, error: session.error }
      const refused = tried ? await session.ask({ from: tried.from, to: [tried.to] }) : null
      session.quit()
      return refused ?? { ok: true }
    },
    close: () => pool.close(),
  }
}

/** The composed message with the DKIM signature on top of it. */
async function signed({ dkim }: MailboxConnection, raw: Buffer): Promise<Buffer> {
  return dkim ? Buffer.concat([Buffer.from(await dkimSignature(raw, dkim), 'latin1'), raw]) : raw
}

type Open = (mailbox: MailboxConnection) => Promise<Session | NeverLeft>
type Offer = { outcome: MailOutcome; reused: boolean }

async function offerOnce(
  pool: SessionPool,
  open: Open,
  mailbox: MailboxConnection,
  message: OutgoingMail,
  { fresh, mayLeave }: { fresh: boolean; mayLeave: MayLeave },
): Promise<Offer> {
  const lease = await pool.lease(mailboxKey(mailbox), { fresh })
  if (lease === 'busy' || lease === 'closed')
    return { outcome: neverLeft(lease, `The connection pool is ${lease}`), reused: false }
  if ('outcome' in lease) return { outcome: lease, reused: false }
  let session: Session | null = null
  try {
    const opened = lease.session ?? (await open(mailbox))
    if ('outcome' in opened) {
      pool.refuse(lease.key, opened)
      return { outcome: opened, reused: false }
    }
    session = opened
    // Composed only once a connection is available, so that waiting messages cost neither time nor memory.
    const raw = await signed(mailbox, composeMail(message))
    if (!mayLeave()) return { outcome: tooLate(), reused: false }
    return { outcome: await session.offer(toEnvelope(message), raw), reused: lease.session !== null }
  } finally {
    pool.release(lease, session)
  }
}

const addresses = (copies: MailAddress[] = []) => copies.map(({ address }) => address)

const toEnvelope = ({ from, to, cc, bcc, return_path }: OutgoingMail): Envelope => ({
  from: return_path ?? from.address,
  to: [to.address, ...addresses(cc)],
  also: addresses(bcc),
})

function isStale(outcome: MailOutcome) {
  if (outcome.outcome === 'never_left') return outcome.reason === 'lost'
  return outcome.outcome === 'refused_for_now' && outcome.stage === 'mail' && outcome.code === 421
}

async function openAllowed(mailbox: MailboxConnection, options: SmtpProviderOptions, timeouts: SmtpTimeouts) {
  const resolved = await resolveHost(mailbox.host, mailbox.port, options.policy, options.lookup)
  if (!resolved.ok) return neverLeft(resolved.reason === 'blocked' ? 'blocked' : 'resolve', resolved.error)
  let failure: NeverLeft | null = null
  for (const address of resolved.addresses.slice(0, 3)) {
    const session = await openSession({
      address,
      mailbox,
      timeouts,
      ...(options.ehlo_name && { ehlo_name: options.ehlo_name }),
      ...(options.ca && { ca: options.ca }),
    })
    if (!('outcome' in session)) return session
    failure = session
    // Only an unreachable server is worth trying at its next address.
    if (failure.reason !== 'connect') break
  }
  return failure ?? neverLeft('resolve', `${mailbox.host} has no address`)
}

const keys = new WeakMap<MailboxConnection, string>()

/** Mailboxes share connections only if every detail agrees; the password is hashed, not stored. A new token means new connections. */
function mailboxKey(mailbox: MailboxConnection): string {
  const { host, port, security, username, password, access_token } = mailbox
  const key =
    keys.get(mailbox) ??
    createHash('sha256')
      .update(JSON.stringify([host, port, security, username, access_token ?? password]))
      .digest('base64')
  keys.set(mailbox, key)
  return key
}
