import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Certificate } from '#lib/providers/mail/bounce-certificate'

export type BounceServerOptions<T> = {
  /** The owner of an address; null for an unknown address, which is refused before any byte of the mail. */
  target: (address: string) => Promise<T | null>
  /** Resolves once the mail is stored durably; only then is the sender told so. */
  take: (targets: T[], raw: Buffer) => Promise<void>
  onError?: (error: Error) => void
  /** Offered by STARTTLS (RFC 3207); a client that does not use it is served in plain text, as is usual between mail servers. */
  certificate?: Certificate | undefined
  /** The host that a network address belongs to, by which connections and mails are limited. By default each address is one host. */
  host?: (address: string) => string
  now?: () => number
}

/** The size limit of one mail: bounce reports quote the returned mail, seldom in full. */
const MAX_BYTES = 2 * 1024 * 1024
const MAX_CLIENTS = 50
const MAX_RECIPIENTS = 10
/**
 * Limits per host, so that other hosts find room and a host that knows one of our addresses cannot fill the disk. The refusal is
 * temporary.
 */
const MAX_CLIENTS_OF_HOST = 20
const MAX_MAILS_OF_HOST = 600
const MINUTE_MS = 60_000

class Refusal extends Error {
  readonly responseCode: number

  constructor(responseCode: number, text: string) {
    super(text)
    this.name = 'Refusal'
    this.responseCode = responseCode
  }
}

/** Accepts mail from anybody for the addresses that `target` knows, and for no others: nothing can be relayed. */
export function createBounceServer<T>({
  target,
  take,
  onError,
  certificate,
  host = (address) => address,
  now = Date.now,
}: BounceServerOptions<T>) {
  /** By session, in the order of the RCPT commands. */
  const targets = new WeakMap<object, Map<string, T>>()

  const hosts = createHosts(host, now)

  const receive = async (session: SMTPServerSession, stream: SMTPServerDataStream) => {
    const raw = await collect(stream)
    if (!hosts.takeMail(session))
      throw new Refusal(451, '4.7.0 Too many mails from your host, try again later')
    const known = targets.get(session)
    const recipients = session.envelope.rcptTo.flatMap(({ address }) => known?.get(address) ?? [])
    if (recipients.length === 0) throw new Refusal(554, '5.5.1 No valid recipients')
    await take(recipients, raw)
  }

  const server = new SMTPServer({
    banner: 'Opener bounces',
    disabledCommands: certificate ? ['AUTH'] : ['AUTH', 'STARTTLS'],
    ...certificate,
    authOptional: true,
    disableReverseLookup: true,
    size: MAX_BYTES,
    maxClients: MAX_CLIENTS,
    socketTimeout: 60_000,
    closeTimeout: 2_000,
    onConnect: (session, done) =>
      done(hosts.enter(session) ? null : new Refusal(421, '4.7.0 Too many connections from your host')),
    onClose: (session) => hosts.leave(session),
    onRcptTo: ({ address }, session, done) => {
      if (session.envelope.rcptTo.length >= MAX_RECIPIENTS)
        return done(new Refusal(452, '4.5.3 Too many recipients'))
      target(address).then(
        (found) => {
          if (found === null) return done(new Refusal(550, '5.1.1 No such address'))
          const known = targets.get(session) ?? new Map<string, T>()
          targets.set(session, known.set(address, found))
          done()
        },
        (error: Error) => {
          onError?.(error)
          done(new Refusal(451, '4.3.0 Try again later'))
        },
      )
    },
    onData: (stream, session, done) => {
      receive(session, stream).then(
        () => done(null, '2.0.0 Taken'),
        (error: Error) => {
          if (!(error instanceof Refusal)) onError?.(error)
          // A failure of ours loses nothing: the sender tries again.
          done(error instanceof Refusal ? error : new Refusal(451, '4.3.0 Try again later'))
        },
      )
    },
  })
  server.on('error', (error) => onError?.(error))
  return server
}

/** Counts per host: its open connections, and its mails in the current minute. */
function createHosts(host: (address: string) => string, now: () => number) {
  const entered = new WeakSet<SMTPServerSession>()
  const open = new Map<string, number>()
  const mails = new Map<string, number>()
  let minute = 0
  const name = ({ remoteAddress }: SMTPServerSession) => host(remoteAddress)

  return {
    enter(session: SMTPServerSession): boolean {
      const count = open.get(name(session)) ?? 0
      if (count >= MAX_CLIENTS_OF_HOST) return false
      open.set(name(session), count + 1)
      entered.add(session)
      return true
    },
    leave(session: SMTPServerSession): void {
      if (!entered.delete(session)) return
      const count = (open.get(name(session)) ?? 1) - 1
      if (count > 0) open.set(name(session), count)
      else open.delete(name(session))
    },
    takeMail(session: SMTPServerSession): boolean {
      const current = Math.floor(now() / MINUTE_MS)
      if (current !== minute) mails.clear()
      minute = current
      const count = (mails.get(name(session)) ?? 0) + 1
      mails.set(name(session), count)
      return count <= MAX_MAILS_OF_HOST
    },
  }
}

/** Reads the mail to its end whatever its size: a client that is cut off would only try again. */
async function collect(stream: SMTPServerDataStream): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= MAX_BYTES) chunks.push(chunk)
  }
  if (bytes > MAX_BYTES) throw new Refusal(552, '5.3.4 Message too big')
  return Buffer.concat(chunks)
}
