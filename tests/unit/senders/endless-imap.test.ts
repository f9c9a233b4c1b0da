import { createServer, type Socket } from 'node:net'
import { afterEach, describe, expect, test } from 'vitest'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createImapCheck } from '#lib/providers/inbox/imap-check'
import type { InboxReading } from '#lib/providers/inbox/port'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that answers one command by `play`, and every other one by OK. */
async function aServer(command: string, play: (socket: Socket) => void) {
  const sockets = new Set<Socket>()
  const server = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => undefined)
    socket.write('* OK [CAPABILITY IMAP4rev1] ready\r\n')
    socket.on('data', (chunk) => {
      for (const line of chunk.toString().split('\r\n').filter(Boolean)) {
        const [tag, verb] = line.split(' ')
        if (verb === command) play(socket)
        else socket.write(`${tag} OK done\r\n`)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  closers.push(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  const port = typeof address === 'object' && address ? address.port : 0
  return { host: '127.0.0.1', port, security: 'none', username: 'dana', password: 'secret' } as const
}

/** Sends a word now and then, and never ends. */
function drip(socket: Socket) {
  const timer = setInterval(() => socket.write('* OK still at it\r\n'), 20)
  closers.push(() => clearInterval(timer))
}

const policy = { allow_private_hosts: true }
const PATIENT = { connect: 60_000, greeting: 60_000, reply: 60_000 }

const READING: InboxReading = {
  findCursor: () => null,
  findKept: async () => new Set(),
  refuse: async () => false,
  findLatest: async () => null,
  since: new Date(0),
  limit: 10,
  keep: async () => undefined,
  advance: async () => undefined,
}

test.each(['LOGIN', 'LIST', 'EXAMINE'])(
  'a server that says a word now and then and never answers %s is left after a while',
  async (command) => {
    const connection = await aServer(command, drip)
    const timeouts = { ...PATIENT, whole: 1_000 }
    const read = await createImapProvider({ policy, timeouts }).read(connection, READING)
    expect(read).toMatchObject({ ok: false, error: 'The server took too long.' })
    const check = await createImapCheck({ policy, timeouts })(connection)
    expect(check).toMatchObject({ ok: false, error: 'The server took too long.' })
  },
)

test('a line without end is not kept until memory ends', async () => {
  let written = 0
  const connection = await aServer('LIST', (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.writable && socket.write('x'.repeat(65_536))) written += 65_536
    }
    socket.on('drain', more)
    more()
  })
  const read = await createImapProvider({ policy, timeouts: PATIENT }).read(connection, READING)
  expect(read).toMatchObject({ ok: false, read: 0 })
  expect(written).toBeLessThan(64 * 1024 * 1024)
})

describe('lines without end, each of them small, are not kept until memory ends', () => {
  const FLOODS = [
    { of: 'folders', command: 'LIST', line: '* LIST () "/" a\r\n' },
    { of: 'numbers', command: 'UID', line: '* SEARCH 1 2 3\r\n' },
    { of: 'mails', command: 'UID', line: '* 1 FETCH (UID 1)\r\n' },
    { of: 'words that nobody can read', command: 'LIST', line: '* LIST (\r\n' },
    { of: 'signs of life', command: 'EXAMINE', line: '* OK still at it\r\n' },
  ]
  const reading = { ...READING, findCursor: () => ({ uid_validity: 0n, last_uid: 1, modseq: null }) }

  test.each(FLOODS)('$of', async ({ command, line }) => {
    const block = line.repeat(1_000)
    let lines = 0
    const connection = await aServer(command, (socket) => {
      const more = () => {
        while (!socket.destroyed && socket.writable && socket.write(block)) lines += 1_000
      }
      socket.on('drain', more)
      more()
    })
    const timeouts = { ...PATIENT, whole: null }
    const read = await createImapProvider({ policy, timeouts }).read(connection, reading)
    expect(read).toMatchObject({ ok: false, error: 'The server answered with more than a mailbox can hold.' })
    // Written lines may fill the socket buffers of both sides, but are not kept by the client.
    expect(lines).toBeLessThan(2_000_000)
  })
})

test('mails without end are left before they fill the memory', async () => {
  const mail = Buffer.concat([
    Buffer.from('* 1 FETCH (UID 1 BODY[]<0> {1000000}\r\n'),
    Buffer.alloc(1_000_000, 'x'),
    Buffer.from(')\r\n'),
  ])
  let written = 0
  const connection = await aServer('UID', (socket) => {
    const more = () => {
      while (!socket.destroyed && socket.writable && socket.write(mail)) written += mail.length
    }
    socket.on('drain', more)
    more()
  })
  const reading = { ...READING, findCursor: () => ({ uid_validity: 0n, last_uid: 1, modseq: null }) }
  const timeouts = { ...PATIENT, whole: null }
  const read = await createImapProvider({ policy, timeouts }).read(connection, reading)
  expect(read).toMatchObject({ ok: false, error: 'The server answered with more than a mailbox can hold.' })
  expect(written).toBeLessThan(128 * 1024 * 1024)
})
