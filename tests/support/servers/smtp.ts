import { createServer, type Server, type Socket } from 'node:net'

export type SmtpStage =
  | 'banner'
  | 'ehlo'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'body_begun'
  | 'body'
  | 'rset'
  | 'quit'

/** What to do instead of the regular answer; `drop` cuts the connection, after the reply if there is one. */
export type SmtpPlay = {
  reply?: string
  drop?: boolean
  hang?: boolean
  /** Sends a continuation line now and then. */
  drip?: boolean
  delay_ms?: number
}

export type SinkMessage = { from: string; to: string[]; raw: string; connection: number }

export type SinkOptions = {
  port?: number
  /** Lines of the EHLO answer after the greeting. */
  extensions?: string[]
  /** Delay before each final answer, as on a busy server. */
  delay_ms?: number
  /** Awaited when a message has arrived completely, before it is accepted. */
  beforeMessage?: () => Promise<void>
  onMessage?: (message: SinkMessage) => void
  /** Whether it takes an access token (XOAUTH2); a refusal is a challenge first, as Google and Microsoft send it. */
  takesToken?: (token: string) => boolean
  /** Asked at every stage; undefined: no fault. */
  play?: (
    stage: SmtpStage,
    context: { command: string; connection: number; messages: number },
  ) => SmtpPlay | undefined
}

const GOOD: Record<SmtpStage, string> = {
  banner: '220 sink.test ESMTP',
  ehlo: '250 sink.test',
  auth: '235 2.7.0 Welcome',
  mail: '250 2.1.0 OK',
  rcpt: '250 2.1.5 OK',
  data: '354 Go ahead',
  body_begun: '',
  body: '250 2.0.0 Queued',
  rset: '250 2.0.0 Reset',
  quit: '221 2.0.0 Bye',
}

const STAGE_OF: Record<string, SmtpStage> = {
  EHLO: 'ehlo',
  HELO: 'ehlo',
  AUTH: 'auth',
  MAIL: 'mail',
  RCPT: 'rcpt',
  DATA: 'data',
  RSET: 'rset',
}

/** A mail server on raw sockets that records messages and fails exactly where a test says. */
export async function createSmtpSink(options: SinkOptions = {}) {
  const messages: SinkMessage[] = []
  const commands: string[] = []
  const sockets = new Set<Socket>()
  const counts = { connections: 0, peak: 0 }
  const server: Server = createServer((socket) => {
    sockets.add(socket)
    counts.connections += 1
    counts.peak = Math.max(counts.peak, sockets.size)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => undefined)
    serve(socket, counts.connections, { options, messages, commands })
  })
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    port: typeof address === 'object' && address ? address.port : 0,
    messages,
    commands,
    counts,
    open: () => sockets.size,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

export type SmtpSink = Awaited<ReturnType<typeof createSmtpSink>>

type Shared = { options: SinkOptions; messages: SinkMessage[]; commands: string[] }

function serve(socket: Socket, connection: number, { options, messages, commands }: Shared) {
  let buffer = ''
  let inBody = false
  let begun = false
  let isChallenged = false
  let envelope = { from: '', to: [] as string[] }
  let work = Promise.resolve()

  const answer = async (stage: SmtpStage, command: string, good = GOOD[stage]) => {
    const play = options.play?.(stage, { command, connection, messages: messages.length })
    if (play?.delay_ms) await new Promise((resolve) => setTimeout(resolve, play.delay_ms))
    if (play?.hang) return false
    if (play?.drip) {
      const timer = setInterval(() => socket.write('250-more\r\n'), 20)
      socket.once('close', () => clearInterval(timer))
      return false
    }
    const reply = play?.reply ?? (play?.drop ? '' : good)
    if (reply && !socket.destroyed) socket.write(`${reply}\r\n`)
    if (play?.drop) socket.destroySoon()
    return !play
  }

  // As strict as RFC 5321: a client that does not end its refused transaction cannot begin another.
  const outOfOrder = (stage: SmtpStage) => {
    if (stage === 'mail' && envelope.from) return '503 5.5.1 Nested MAIL'
    return stage === 'data' && envelope.to.length === 0 ? '503 5.5.1 No recipients' : undefined
  }

  const challenge = (line: string) => {
    if (options.takesToken?.(tokenIn(line)) !== false) return false
    isChallenged = true
    return socket.write(`334 ${Buffer.from('{"status":"400"}').toString('base64')}\r\n`)
  }

  const command = async (line: string) => {
    commands.push(line)
    if (isChallenged && line === '') {
      isChallenged = false
      return socket.write('535 5.7.8 Username and Password not accepted\r\n')
    }
    const verb = line.slice(0, 4).toUpperCase()
    if (verb === 'QUIT') {
      if (await answer('quit', line)) socket.end()
      return
    }
    const stage = STAGE_OF[verb]
    if (!stage) return socket.write('502 5.5.2 Unknown command\r\n')
    if (stage === 'auth' && challenge(line)) return
    const auth = options.takesToken ? 'AUTH XOAUTH2' : 'AUTH PLAIN'
    const extensions = ['sink.test', ...(options.extensions ?? [auth, 'SIZE 1000000'])]
    const lines = extensions.map((text, i) => `250${i < extensions.length - 1 ? '-' : ' '}${text}`)
    const unasked = outOfOrder(stage)
    const isGood = await answer(stage, line, verb === 'EHLO' ? lines.join('\r\n') : unasked)
    if (!isGood || unasked) return
    if (stage === 'rset') envelope = { from: '', to: [] }
    if (stage === 'mail') envelope = { from: addressIn(line), to: [] }
    if (stage === 'rcpt') envelope.to.push(addressIn(line))
    if (stage === 'data') inBody = true
  }

  const body = async (raw: string) => {
    inBody = false
    begun = false
    if (options.delay_ms) await new Promise((resolve) => setTimeout(resolve, options.delay_ms))
    await options.beforeMessage?.()
    // The client died meanwhile, so the message was not handed over.
    if (socket.destroyed) return
    const play = options.play?.('body', { command: '', connection, messages: messages.length })
    if (!play || play.reply?.startsWith('2')) {
      const message = { ...envelope, raw: raw.replace(/^\.\./gm, '.'), connection }
      messages.push(message)
      options.onMessage?.(message)
    }
    envelope = { from: '', to: [] }
    if (play?.delay_ms) await new Promise((resolve) => setTimeout(resolve, play.delay_ms))
    if (play?.hang) return
    const reply = play?.reply ?? (play?.drop ? '' : GOOD.body)
    if (reply && !socket.destroyed) socket.write(`${reply}\r\n`)
    if (play?.drop) socket.destroySoon()
  }

  const step = async () => {
    while (!socket.destroyed) {
      if (inBody) {
        if (!begun && buffer.length > 0) {
          begun = true
          const play = options.play?.('body_begun', { command: '', connection, messages: messages.length })
          if (play?.drop) return void socket.destroy()
        }
        const end = buffer.startsWith('.\r\n') ? 0 : buffer.indexOf('\r\n.\r\n')
        if (end < 0) return
        const raw = buffer.slice(0, end)
        buffer = buffer.slice(end + (end === 0 && buffer.startsWith('.\r\n') ? 3 : 5))
        await body(raw)
      } else {
        const end = buffer.indexOf('\r\n')
        if (end < 0) return
        const line = buffer.slice(0, end)
        buffer = buffer.slice(end + 2)
        await command(line)
      }
    }
  }

  socket.on('data', (chunk) => {
    buffer += chunk.toString('latin1')
    work = work.then(step)
  })
  void answer('banner', '')
}

const addressIn = (line: string) => /<([^>]*)>/.exec(line)?.[1] ?? ''

/** The access token in an XOAUTH2 line. */
export function tokenIn(line: string): string {
  const fields = Buffer.from(line.split(' ').at(-1) ?? '', 'base64')
    .toString()
    .split('\u0001')
  return fields.find((field) => field.startsWith('auth=Bearer '))?.slice('auth=Bearer '.length) ?? ''
}
