import { simpleParser } from 'mailparser'
import { afterAll, describe, expect, test } from 'vitest'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { mailboxAt, message } from '#tests/support/scenes/smtp'
import { aGmailServer, gmailError } from '#tests/support/servers/gmail'
import { aGraphServer, graphError } from '#tests/support/servers/graph'
import type { MailApiServerOptions, Play, Step } from '#tests/support/servers/mail-api'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const MIB = 1024 * 1024
const bytes = (size: number, seed: number) => Buffer.alloc(size, Buffer.from([seed, 0, 255, 10, 13, 46]))
const LARGE = { filename: 'Large.pdf', content_type: 'application/pdf', content: bytes(9 * MIB, 1) }
const SMALL = { filename: 'small.csv', content_type: 'text/csv', content: bytes(2_000, 2) }
const FILES = [LARGE, SMALL]

type Api = 'gmail' | 'graph'
type Options = MailApiServerOptions & { uploadOrigin?: string }

async function aScene(api: Api, options: Options = {}, upload_origins: string[] = []) {
  const server = await (api === 'gmail' ? aGmailServer(options) : aGraphServer(options))
  closers.push(server.close)
  const make = api === 'gmail' ? createGmailProvider : createGraphProvider
  const outbound = { policy: { allow_private_hosts: true } }
  const driver = make({ origin: server.origin, upload_origins, outbound, timeout_ms: 30_000 })
  const mailbox = mailboxAt(1, { access_token: 'secret-token', password: null, api })
  const send = (attachments = FILES, over = {}) => driver.send(mailbox, message({ attachments, ...over }))
  const sends = () => server.asked.filter(({ method, path }) => method === 'POST' && path.endsWith('/send'))
  const puts = () => server.asked.filter(({ method }) => method === 'PUT')
  return { server, send, sends, puts, close: server.close }
}

/** The attachments that the recipient gets. */
async function filesOf(server: Awaited<ReturnType<typeof aScene>>['server']) {
  if ('files' in server) return server.files().map(({ name, content }) => [name, content.toString('base64')])
  const { attachments } = await simpleParser(Buffer.from(server.sent()[0] ?? '', 'latin1'))
  return attachments.map(({ filename, content }) => [filename, content.toString('base64')])
}
const ALL = FILES.map(({ filename, content }) => [filename, content.toString('base64')])

/** Plays a fault at the n-th occurrence of a step, counted from 1. */
function nth(step: Step, n: number, play: Play) {
  let count = 0
  return (at: Step) => (at === step && ++count === n ? play : undefined)
}

describe.each(['gmail', 'graph'] as const)('a large message over %s', (api) => {
  test('goes in parts, leaves once, and arrives byte for byte', async () => {
    const { server, send, sends, puts } = await aScene(api)
    expect(await send()).toMatchObject({ outcome: 'accepted' })
    expect(await filesOf(server)).toEqual(ALL)
    expect([sends().length, server.sent().length, server.drafts.size]).toEqual([1, 1, 0])
    expect(puts().length).toBeGreaterThan(2)
    for (const { bytes: part, headers } of puts()) {
      expect(part.length).toBeLessThanOrEqual(4 * MIB)
      // The upload address itself grants access.
      expect(headers.authorization).toBeUndefined()
    }
    // No request is larger than the limit of one call.
    for (const { bytes: body } of server.asked) expect(body.length).toBeLessThan(5_000_000)
  })

  test('a small one goes as ever', async () => {
    const { server, send, puts } = await aScene(api)
    expect(await send([SMALL])).toMatchObject({ outcome: 'accepted' })
    expect([puts().length, server.sent()[0]?.includes('small.csv')]).toEqual([0, true])
  })

  test.each<[string, Step, number, Play, object]>([
    ['the line is cut at the second part', 'put', 2, { drop: true }, { reason: 'lost' }],
    ['a part is taken and the line cut', 'put', 2, { acts: true, drop: true }, { reason: 'lost' }],
    ['the last part is taken and the line cut', 'put', 3, { acts: true, drop: true }, { reason: 'lost' }],
    ['the server is not well', 'put', 2, { status: 503 }, { reason: 'lost' }],
    ['the address is no longer known', 'put', 2, { status: 404 }, { reason: 'lost' }],
    ['an answer counts nothing', 'put', 1, { status: 200, body: {} }, { reason: 'lost' }],
    [
      'no address is named',
      'begin',
      1,
      { status: 200, body: {}, headers: { location: '' } },
      { reason: 'lost' },
    ],
    ['the token ends', 'begin', 1, { status: 401 }, { reason: 'auth' }],
    ['it is cut as the upload begins', 'begin', 1, { drop: true }, { reason: 'lost' }],
  ])('has never left where %s, and the next try sends it once', async (_, step, n, play, expected) => {
    const { server, send, sends } = await aScene(api, { play: nth(step, n, play) })
    const first = await send()
    expect(first).toMatchObject({ outcome: 'never_left', ...expected })
    // A later try must not send a draft without its files.
    expect(first).not.toHaveProperty('draft')
    expect(JSON.stringify(first)).not.toMatch(/secret/)
    expect([sends().length, server.sent().length]).toEqual([0, 0])
    expect(await send()).toMatchObject({ outcome: 'accepted' })
    expect(await filesOf(server)).toEqual(ALL)
    expect([sends().length, server.sent().length]).toEqual([1, 1])
  })

  test('is refused for good where it is too large for the mailbox', async () => {
    const play =
      api === 'gmail' ? gmailError(413, 'uploadTooLarge') : graphError(413, 'ErrorMessageSizeExceeded')
    const { server, send } = await aScene(api, { play: nth('begin', 1, play) })
    expect(await send()).toMatchObject({ outcome: 'refused_for_good', blames: 'message' })
    expect([server.sent().length, server.drafts.size]).toEqual([0, 0])
  })

  test('leaves once where only its sending is in doubt', async () => {
    const { server, send, sends } = await aScene(api, { play: nth('send', 1, { acts: true, drop: true }) })
    expect(await send()).toMatchObject({ outcome: 'unknown' })
    expect([sends().length, server.sent().length]).toEqual([1, 1])
  })
})

describe.each(['gmail', 'graph'] as const)('an address for the parts, over %s', (api) => {
  test('on another host of the vendor’s is put to, and on any other nothing is', async () => {
    const other = await aScene(api)
    const uploadOrigin = other.server.origin
    const refused = await aScene(api, { uploadOrigin })
    expect(await refused.send()).toMatchObject({ outcome: 'never_left', reason: 'blocked' })
    expect(other.puts()).toEqual([])
    const allowed = await aScene(api, { uploadOrigin }, [uploadOrigin])
    expect(await allowed.send()).toMatchObject({ outcome: 'never_left', reason: 'lost' })
    expect(other.puts()).toHaveLength(1)
    expect(other.puts()[0]?.headers.authorization).toBeUndefined()
  })

  test.each(['http://user:pass@127.0.0.1', 'ftp://127.0.0.1', 'https://127.0.0.1.evil.test', 'nonsense://'])(
    'such as %s is not asked',
    async (uploadOrigin) => {
      const { send } = await aScene(api, { uploadOrigin }, ['http://127.0.0.1'])
      expect(await send()).toMatchObject({ outcome: 'never_left', reason: 'blocked' })
    },
  )
})
