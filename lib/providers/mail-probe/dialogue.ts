import { connect, type Socket } from 'node:net'

/** `code` 0: no reply came, and `text` says why. */
export type Reply = { code: number; text: string }

export type Dialogue = {
  /** Sends a line, or nothing for null, and waits for the reply. */
  say(line: string | null): Promise<Reply>
  close(): void
}

/** The largest reply that is read. */
const MAX_REPLY_BYTES = 16_384

/** A connection on which each line is followed by one reply, the whole of it within `timeoutMs`. */
export function openDialogue(
  address: string,
  port: number,
  timeoutMs: number,
): Promise<Dialogue | { error: string }> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port })
    const reader = replyReader(socket)
    const deadline = setTimeout(
      () => socket.destroy(new Error(`No answer within ${timeoutMs / 1_000} s`)),
      timeoutMs,
    )
    socket.once('close', () => clearTimeout(deadline))
    // Stays registered: a connection that breaks between two lines must not throw.
    socket.on('error', (error) => resolve({ error: error.message }))
    socket.once('connect', () =>
      resolve({
        say(line) {
          // Addresses come from lists: a line break in one would inject a command.
          if (line !== null && !socket.destroyed) socket.write(`${line.replace(/[\r\n]/g, '')}\r\n`)
          return reader.next()
        },
        close: () => socket.destroy(),
      }),
    )
  })
}

function replyReader(socket: Socket) {
  let buffer = ''
  let broken: string | null = null
  let waiting: ((reply: Reply) => void) | null = null
  const settle = () => {
    const reply = takeReply()
    if (!reply || !waiting) return
    const answer = waiting
    waiting = null
    answer(reply)
  }
  /** Takes one complete reply: `250-` continues it, `250 ` ends it. */
  function takeReply(): Reply | null {
    const whole = /^(?:\d{3}-[^\n]*\n)*(\d{3})(?: [^\n]*)?\r?\n/.exec(buffer)
    if (whole) {
      buffer = buffer.slice(whole[0].length)
      return { code: Number(whole[1]), text: whole[0].trim() }
    }
    if (buffer.length > MAX_REPLY_BYTES) broken ??= 'The server talks without an end'
    return broken ? { code: 0, text: broken } : null
  }
  socket.on('data', (part: Buffer) => {
    if (buffer.length <= MAX_REPLY_BYTES) buffer += part.toString('utf8')
    settle()
  })
  socket.on('error', (error) => {
    broken ??= error.message
  })
  socket.on('close', () => {
    broken ??= 'The server closed the connection'
    settle()
  })
  return {
    next: () =>
      new Promise<Reply>((resolve) => {
        waiting = resolve
        settle()
      }),
  }
}
