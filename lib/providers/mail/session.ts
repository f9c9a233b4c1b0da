import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import { rootCertificates } from 'node:tls'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type { MailboxConnection, MailOutcome, MailVerification, NeverLeft } from '#lib/providers/mail/port'
import { cleanText, neverLeft, type SmtpError, sendFailure, setupFailure } from '#lib/providers/mail/reply'

/**
 * In milliseconds. `send` bounds one whole transaction, however slowly the server sends its replies; `end` bounds the RSET or
 * QUIT after it.
 */
export type SmtpTimeouts = { connect: number; greeting: number; reply: number; send: number; end: number }

export type Envelope = {
  from: string
  /** Recipients of whom a single refusal keeps the message from being sent at all. */
  to: string[]
  /** Further recipients; those that the server refuses are left out. */
  also?: string[]
}

export type SessionOptions = {
  /** Already resolved and checked against the policy; the name in `mailbox.host` is used only for the certificate. */
  address: string
  mailbox: MailboxConnection
  timeouts: SmtpTimeouts
  /** The name given in EHLO; absent: this machine's. */
  ehlo_name?: string
  /** Further certificate authorities, in PEM. */
  ca?: string
}

/** A signed-in SMTP connection that carries one message after another. */
export type Session = {
  readonly alive: boolean
  /** How many messages were offered over this connection. */
  readonly used: number
  offer(envelope: Envelope, raw: Buffer): Promise<MailOutcome>
  /** Whether the server would accept a message from this sender, without giving it one; null if it would. Ends the connection. */
  ask(envelope: Envelope): Promise<Extract<MailVerification, { ok: false }> | null>
  quit(): void
}

function connectionOptions({ address, mailbox, timeouts, ehlo_name, ca }: SessionOptions) {
  const servername = isIP(mailbox.host) ? undefined : mailbox.host
  return {
    host: address,
    port: mailbox.port,
    secure: mailbox.security === 'tls',
    requireTLS: mailbox.security === 'starttls',
    ignoreTLS: mailbox.security === 'none',
    ...(servername && { servername }),
    ...(ehlo_name && { name: ehlo_name }),
    tls: {
      minVersion: 'TLSv1.2' as const,
      ...(servername && { servername }),
      ...(ca && { ca: [...rootCertificates, ca] }),
    },
    connectionTimeout: timeouts.connect,
    greetingTimeout: timeouts.greeting,
    socketTimeout: timeouts.reply,
    socketCloseTimeout: 1000,
    ...(mailbox.access_token && { customAuth: { XOAUTH2: signInByToken(mailbox) } }),
  }
}

/** Connects, secures the connection and signs in. Returns failures as values: nothing of any message was offered. */
export function openSession(options: SessionOptions): Promise<Session | NeverLeft> {
  const { mailbox, timeouts } = options
  const connection = new SMTPConnection(connectionOptions(options))
  return new Promise((resolve) => {
    let settled = false
    const settle = (result: Session | NeverLeft) => {
      if (settled) return
      settled = true
      clearTimeout(deadline)
      if ('outcome' in result) connection.close()
      resolve('outcome' in result ? withoutSecrets(result, mailbox) : result)
    }
    const fail = (error: SmtpError) => settle(setupFailure(error, mailbox.host))
    const ready = () => settle(sessionOver(connection, timeouts))
    // Bounds a server that keeps every single step within its timeout but never finishes.
    const deadline = setTimeout(
      () => settle(neverLeft('connect', 'The server took too long to get ready')),
      timeouts.connect + timeouts.greeting + timeouts.reply,
    )
    // Stays registered: an idle connection that breaks must not throw.
    connection.on('error', fail)
    connection.once('end', () => settle(neverLeft('connect', 'Connection closed unexpectedly')))
    connection.connect((error) => {
      if (error) return fail(error)
      if (!mailbox.username) return ready()
      if (!connection.allowsAuth) return settle(neverLeft('auth', 'The server does not offer sign-in here'))
      connection.login(credentials(mailbox), (refused) => (refused ? fail(refused) : ready()))
    })
  })
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

const toXOAuth2 = (user: string | null, token: string) =>
  base64(`user=${user}\u0001auth=Bearer ${token}\u0001\u0001`)

type Ask = SMTPConnection.CustomAuthenticationContext

/**
 * One attempt with the current token: the library's own XOAUTH2 would refresh it, which is left to the holder of the token's
 * lock. A refusal first comes as a challenge, which must be answered by an empty line.
 */
function signInByToken({ username, access_token }: MailboxConnection) {
  return async (ask: Ask) => {
    const first = await ask.sendCommand(`AUTH XOAUTH2 ${toXOAuth2(username, access_token ?? '')}`)
    const last = first.response.startsWith('334') ? await ask.sendCommand('') : first
    if (!last.response.startsWith('2')) throw new Error('Invalid login')
  }
}

function credentials({ username, password, access_token }: MailboxConnection) {
  const named = { user: username ?? '', pass: password ?? '' }
  return access_token ? { ...named, type: 'custom' as const, method: 'XOAUTH2' } : named
}

/** Some servers repeat the credentials in their answer, which is stored and shown. */
function withoutSecrets(
  failure: NeverLeft,
  { username, password, access_token }: MailboxConnection,
): NeverLeft {
  const told = password ? [base64(`\u0000${username}\u0000${password}`), base64(password), password] : []
  const secrets = access_token ? [...told, toXOAuth2(username, access_token), access_token] : told
  const error = secrets.reduce((text, secret) => text.replaceAll(secret, '[secret]'), failure.error)
  return { ...failure, error }
}

function sessionOver(connection: SMTPConnection, timeouts: SmtpTimeouts): Session {
  let used = 0
  return {
    get alive() {
      return !connection.destroyed
    },
    get used() {
      return used
    },
    async offer(envelope, raw) {
      used += 1
      const outcome = await transaction(connection, timeouts.send, envelope, raw)
      const isOpenTransaction = 'stage' in outcome && outcome.stage !== 'body'
      if (isOpenTransaction && !connection.destroyed) await reset(connection, timeouts.end)
      return outcome
    },
    async ask(envelope) {
      const outcome = await transaction(connection, timeouts.send, envelope, null)
      if (outcome.outcome === 'never_left') return { ok: false, reason: outcome.reason, error: outcome.error }
      // Any other answer, and a temporary refusal, says nothing about the address.
      if (outcome.outcome !== 'refused_for_good' || outcome.blames !== 'sender') return null
      const error = `The server does not allow sending as ${envelope.from}: ${outcome.response}`
      return { ok: false, reason: 'refused', error }
    },
    quit() {
      if (connection.destroyed) return
      connection.quit()
      // Closes the connection once, even if the server never finishes its answer.
      const deadline = setTimeout(() => connection.close(), timeouts.end).unref()
      // Otherwise the timer would keep the ended connection, and its password, in memory.
      connection.once('end', () => clearTimeout(deadline))
    },
  }
}

/** One MAIL, RCPT, DATA and message, if there is one. Resolves exactly once, whatever the connection does. */
function transaction(
  connection: SMTPConnection,
  timeoutMs: number,
  envelope: Envelope,
  /** Null: the transaction stops where the server asks for the message. */
  raw: Buffer | null,
) {
  return new Promise<MailOutcome>((resolve) => {
    // Nodemailer reads the message only after the server has asked for it (354), so the first read is the exact border between
    // "cannot have been accepted" and "may have been".
    let offered = false
    const recipients = [...new Set([...envelope.to, ...(envelope.also ?? [])])]
    // The library records the outcome of each recipient in it, and continues with those that were accepted.
    const asked: Asked = { from: envelope.from, to: recipients, ...(raw && { size: raw.length }) }
    const body = new Readable({
      read() {
        const refused = asked.rejectedErrors?.find(({ recipient }) => isNeeded(envelope, recipient))
        if (refused) {
          // A message without its end was not submitted: closing the connection takes it back.
          settle(named(sendFailure(refused, false), refused, envelope))
          return connection.close()
        }
        if (raw === null) {
          settle({ outcome: 'accepted', response: '', server_message_id: null })
          return connection.close()
        }
        offered = true
        this.push(raw)
        this.push(null)
      },
    })
    const settle = (outcome: MailOutcome) => {
      clearTimeout(deadline)
      connection.off('end', lost)
      resolve(outcome)
    }
    // The connection can end without a callback; its own error, if there is one, takes precedence.
    const lost = () => setImmediate(() => settle(sendFailure(new Error('Connection ended'), offered)))
    const deadline = setTimeout(() => {
      settle(sendFailure(new Error('The server took too long'), offered))
      connection.close()
    }, timeoutMs)
    connection.once('end', lost)
    connection.send(asked, body, (error, info) => {
      if (error || !info) return settle(sendFailure(error ?? new Error('No answer'), offered))
      const server_message_id = info.serverMessageId ?? null
      const response = [info.response, ...(info.rejectedErrors ?? []).map(notTaken)].join(' ')
      settle({ outcome: 'accepted', response: cleanText(response), server_message_id })
    })
  })
}

type Asked = SMTPConnection.Envelope & { rejectedErrors?: RecipientError[] }
type RecipientError = SmtpError & { recipient?: string | undefined }

const isNeeded = ({ to }: Envelope, recipient: string | undefined) =>
  to.some((one) => one.trim() === recipient)

/** With several recipients, names the one that the refusal is about. */
const named = (outcome: MailOutcome, { recipient }: RecipientError, { to }: Envelope): MailOutcome =>
  to.length > 1 && 'stage' in outcome
    ? { ...outcome, response: cleanText(`${recipient}: ${outcome.response}`) }
    : outcome

const notTaken = ({ recipient, response, message }: RecipientError) =>
  `Not taken for ${recipient}: ${response ?? message}`

/** Ends a refused transaction, so that the next message starts clean; closes the connection if that fails. */
function reset(connection: SMTPConnection, timeoutMs: number) {
  return new Promise<void>((resolve) => {
    const done = () => {
      clearTimeout(deadline)
      connection.off('end', done)
      resolve()
    }
    const deadline = setTimeout(() => {
      connection.close()
      done()
    }, timeoutMs)
    connection.once('end', done)
    connection.reset((error) => {
      if (error) connection.close()
      done()
    })
  })
}
