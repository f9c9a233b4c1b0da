import { createServer, type Socket } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { createImapProvider } from '#lib/providers/inbox/imap'
import { createImapCheck } from '#lib/providers/inbox/imap-check'
import type { InboxReading } from '#lib/providers/inbox/port'

const closers: (() => void)[] = []
afterEach(() => {
  for (const close of closers.splice(0)) close()
})

/** A server that answers a command by `play`, and every other one by OK. */
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

/** A word now and then, and never an end. */
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
