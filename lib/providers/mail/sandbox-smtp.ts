import { setTimeout as sleep } from 'node:timers/promises'
import { simpleParser } from 'mailparser'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { readSandboxCredentials, type SandboxParty } from '#lib/providers/mail/sandbox-credentials'

export type SandboxMessage = {
  mail_from: string
  rcpt_to: string
  from_address: string
  message_id: string | null
  subject: string
  raw: Buffer
  /** The mailbox of the instance that it came for; null for mail from anybody else. */
  party: SandboxParty | null
}

export type SandboxOptions = {
  /** Resolves once the message is stored durably; only then is the sender told so. */
  store: (messages: SandboxMessage[]) => Promise<void>
  /** How long a recipient `slow@` delays the reply. */
  slow_ms?: number
  /** ENCRYPTION_KEY, by which the instance proves which mailbox it acts for. Absent: no client can prove that. */
  key?: string
  onError?: (error: Error) => void
}

/** What a recipient's local part makes the server do, so that every outcome can be tried on purpose. */
const PLAYS = {
  bounce: 'refuses the recipient: no such user',
  full: 'refuses the recipient: mailbox full',
  defer: 'refuses the recipient for now, every time',
  greylist: 'refuses the recipient for now, the first time',
  reject: 'refuses the message as spam',
  slow: 'takes the message after a while',
  drop: 'takes the message and cuts the connection without a word',
} as const
type Play = keyof typeof PLAYS
const isPlay = (word: string): word is Play => Object.hasOwn(PLAYS, word)

const MAX_BYTES = 25 * 1024 * 1024
const MAX_HEAD = 128 * 1024
const MAX_REMEMBERED = 10_000

/** `bounce@any.domain`, also with a suffix that makes addresses distinct: `bounce+7@`, `bounce-7@`. */
export function findPlay(address: string): Play | null {
  const local = address.split('@')[0]?.toLowerCase() ?? ''
  const word = local.split(/[+-]/)[0] ?? ''
  return isPlay(word) ? word : null
}

/** What a session remembers about the client that signed in. */
type SandboxUser = { party: SandboxParty | null }

class SmtpRefusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, text: string) {
    super(text)
    this.name = 'SmtpRefusal'
    this.responseCode = responseCode
  }
}

/** A real SMTP server that accepts mail from anybody, signed in or not, and delivers it nowhere. */
export function createSandboxServer({ store, slow_ms = 5000, key, onError }: SandboxOptions) {
  const greylisted = new Set<string>()
  const readParty = (username: string | null = '', password: string | null = '') =>
    key === undefined ? null : readSandboxCredentials(username ?? '', password ?? '', key)

  const findRefusal = (recipient: string, sender: string): SmtpRefusal | null => {
    const play = findPlay(recipient)
    if (play === 'bounce') return new SmtpRefusal(550, '5.1.1 No such user here')
    if (play === 'full') return new SmtpRefusal(552, '5.2.2 Mailbox full')
    if (play === 'defer') return new SmtpRefusal(451, '4.2.0 Try again later')
    const pair = `${sender} ${recipient}`
    if (play !== 'greylist' || greylisted.has(pair)) return null
    if (greylisted.size >= MAX_REMEMBERED) greylisted.clear()
    greylisted.add(pair)
    return new SmtpRefusal(451, '4.7.1 Greylisted, try again')
  }

  const take = async (stream: SMTPServerDataStream, session: SMTPServerSession) => {
    const raw = await collect(stream)
    const recipients = session.envelope.rcptTo.map(({ address }) => address)
    const plays = recipients.map(findPlay)
    if (plays.includes('reject')) throw new SmtpRefusal(550, '5.7.1 This looks like spam')
    if (plays.includes('slow')) await sleep(slow_ms)
    const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
    const summary = await summarize(raw)
    // Set by `onAuth`; the library passes it on without its type.
    const party = (session.user as SandboxUser | undefined)?.party ?? null
    await store(recipients.map((rcpt_to) => ({ mail_from: from, rcpt_to, ...summary, raw, party })))
    if (plays.includes('drop')) cut(server, session.id)
  }

  const server = new SMTPServer({
    banner: 'Opener sandbox',
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    size: MAX_BYTES,
    closeTimeout: 2000,
    onAuth: (auth, _session, done) => {
      const party = readParty(auth.username, auth.password)
      if (party === 'refused') done(new SmtpRefusal(535, '5.7.8 This is not its password'))
      else done(null, { user: { party } satisfies SandboxUser })
    },
    onRcptTo: ({ address }, session, done) => {
      const from = session.envelope.mailFrom ? session.envelope.mailFrom.address : ''
      done(findRefusal(address, from))
    },
    onData: (stream, session, done) => {
      take(stream, session).then(
        () => done(null, '2.0.0 Kept in the sandbox'),
        (error: Error) => {
          // Any other error is our fault, and the sender must not believe that the mail was accepted.
          if (!(error instanceof SmtpRefusal)) onError?.(error)
          done(
            error instanceof SmtpRefusal
              ? error
              : new SmtpRefusal(451, '4.3.0 The sandbox could not keep it'),
          )
        },
      )
    },
  })
  server.on('error', (error) => onError?.(error))
  return server
}

async function collect(stream: SMTPServerDataStream) {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= MAX_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BYTES) throw new SmtpRefusal(552, '5.3.4 Message too big')
  return Buffer.concat(chunks)
}

/** The fields that lists show, read from the head alone: it is bounded, and this process serves everybody. */
async function summarize(raw: Buffer) {
  const mail = await simpleParser(sliceHead(raw), { maxHeadSize: MAX_HEAD }).catch(() => null)
  const text = (value: string | undefined, most: number) => (value ?? '').replaceAll('\0', '').slice(0, most)
  return {
    from_address: text(mail?.from?.value[0]?.address, 320).toLowerCase(),
    message_id: text(mail?.messageId, 500) || null,
    subject: text(mail?.subject, 998).toWellFormed(),
  }
}

function sliceHead(raw: Buffer): Buffer {
  const head = raw.subarray(0, MAX_HEAD - 1024)
  const ends = ['\r\n\r\n', '\n\n'].map((end) => head.indexOf(end)).filter((at) => at !== -1)
  return head.subarray(0, ends.length > 0 ? Math.min(...ends) + 1 : undefined)
}

function cut(server: SMTPServer, sessionId: string) {
  for (const connection of server.connections)
    if (connection.session.id === sessionId) connection._socket.destroy()
}
