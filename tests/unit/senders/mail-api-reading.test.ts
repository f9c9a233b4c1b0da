import { afterAll, describe, expect, test } from 'vitest'
import type { FetchedMail, InboxCursor } from '#lib/providers/inbox/port'
import { createGmailInbox } from '#lib/providers/mail-api/gmail/read'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphInbox } from '#lib/providers/mail-api/graph/read'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { mailboxAt, message } from '#tests/support/scenes/smtp'
import { aGmailServer } from '#tests/support/servers/gmail'
import { aGraphServer } from '#tests/support/servers/graph'
import { type MailApiServerOptions, readField } from '#tests/support/servers/mail-api'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const NOW = new Date('2026-03-02T09:00:00Z')
const at = (minute: number) => new Date(NOW.getTime() + minute * 60_000)
const APIS = {
  gmail: { server: aGmailServer, inbox: createGmailInbox, mail: createGmailProvider },
  graph: { server: aGraphServer, inbox: createGraphInbox, mail: createGraphProvider },
}
type Api = keyof typeof APIS

async function aScene(api: Api, options: MailApiServerOptions & { page?: number } = {}) {
  const { server: createServer, inbox, mail } = APIS[api]
  const server = await createServer({ clock: () => NOW, ...options })
  closers.push(server.close)
  const how = { origin: server.origin, outbound: { policy: { allow_private_hosts: true } }, clock: () => NOW }
  const connection = mailboxAt(1, { access_token: 'secret-token', password: null, api })
  const cursors = new Map<string, InboxCursor>()
  const kept: FetchedMail[] = []
  const driver = inbox(how)
  const keepAll = async (mails: FetchedMail[]): Promise<void> => void kept.push(...mails)
  const read = (limit = 100, keep = keepAll) =>
    driver.read(connection, {
      findCursor: (folder) => cursors.get(folder) ?? null,
      findKept: async () => new Set<number>(),
      findLatest: async () => null,
      refuse: async () => false,
      since: NOW,
      limit,
      keep,
      advance: async (folder, cursor) => void cursors.set(folder, cursor),
    })
  const find = (message_id: string, to = 'grace@lead.test') =>
    driver.findSent(connection, { message_id, to, since: NOW })
  const send = (over = {}) => mail(how).send(connection, message(over))
  const fetchWhole = (mark: { uid?: number | bigint; message_id: string | null; max_bytes?: number }) =>
    driver.fetchWhole(connection, {
      folder: '',
      uid_validity: 1n,
      max_bytes: 3_000_000,
      ...mark,
      uid: BigInt(mark.uid ?? 0),
    })
  const subjects = () => kept.map(({ raw }) => readField(Buffer.from(raw).toString(), 'Subject'))
  return { server, read, find, send, fetchWhole, kept, cursors, subjects }
}

const mail = (subject: string) =>
  `From: lead@lead.test\r\nMessage-ID: <${subject}@lead.test>\r\nSubject: ${subject}\r\n\r\nHello\r\n`

describe.each(['gmail', 'graph'] as const)('%s', (api) => {
  test('reads what is there since the beginning, then only what is new, spam too', async () => {
    const { server, read, subjects, kept } = await aScene(api, { page: 2 })
    server.deliver(mail('before'), undefined, at(-10))
    for (const n of [1, 2, 3]) server.deliver(mail(`m${n}`), undefined, at(n))
    expect(await read()).toEqual({ ok: true, read: 3, more: false, looked: false })
    expect(subjects()).toEqual(['m1', 'm2', 'm3'])
    expect(await read()).toMatchObject({ ok: true, read: 0 })
    if ('threads' in server) server.deliver(mail('spam'), ['SPAM'], at(4))
    else server.deliver(mail('spam'), 'junkemail', at(4))
    expect(await read()).toMatchObject({ ok: true, read: 1 })
    expect(subjects()).toEqual(['m1', 'm2', 'm3', 'spam'])
    expect(kept.map(({ received_at }) => received_at)).toEqual([1, 2, 3, 4].map(at))
    expect(new Set(kept.map(({ uid }) => uid)).size).toBe(4)
  })

  test('one mail is read again, all of it: by its own id where others have its Message-ID too', async () => {
    const { server, read, kept, fetchWhole } = await aScene(api)
    const large = `${mail('large')}${'x'.repeat(2_000_000)}`
    server.deliver(large, undefined, at(1))
    server.deliver(mail('large'), undefined, at(2))
    await read()
    const [one, two] = kept
    expect(one?.raw.length).toBe(1024 * 1024 + 1)
    const text = async (mark: Parameters<typeof fetchWhole>[0]) => {
      const fetched = await fetchWhole(mark)
      return fetched.ok ? Buffer.from(fetched.raw).toString() : fetched.reason
    }
    const message_id = '<large@lead.test>'
    expect(await text({ uid: one?.uid ?? 0, message_id })).toBe(large)
    expect(await text({ uid: two?.uid ?? 0, message_id })).toBe(mail('large'))
    expect(await text({ uid: one?.uid ?? 0, message_id, max_bytes: 2_000_000 })).toBe('too_large')
    expect(await text({ uid: one?.uid ?? 0, message_id: "<it's@gone>" })).toBe('gone')
    expect(await text({ uid: one?.uid ?? 0, message_id: null })).toBe('gone')
  })

  test('one that is refused, or goes while it is read, is said to be so', async () => {
    const { server, fetchWhole } = await aScene(api, {
      play: (_, { path }) => (/messages\/./.test(path) ? { status: 404, body: {} } : undefined),
    })
    server.deliver(mail('m'), undefined, at(1))
    expect(await fetchWhole({ message_id: '<m@lead.test>' })).toMatchObject({ ok: false, reason: 'gone' })
    const closed = await aScene(api, { takesToken: () => false })
    expect(await closed.fetchWhole({ message_id: '<m@lead.test>' })).toMatchObject({
      ok: false,
      reason: 'auth',
    })
  })

  test('what it has forgotten is listed anew, from the last mail on, and nothing is lost', async () => {
    const { server, read, subjects } = await aScene(api)
    for (const n of [1, 2]) server.deliver(mail(`m${n}`), undefined, at(n))
    await read()
    server.deliver(mail('while away'), undefined, at(30))
    server.forget()
    expect(await read()).toMatchObject({ ok: true, more: false })
    expect(subjects().slice(2)).toContain('while away')
    // Mail before the last one is not read again.
    expect(subjects().filter((subject) => subject === 'm1')).toHaveLength(1)
    server.deliver(mail('after'), undefined, at(31))
    expect(await read()).toMatchObject({ ok: true, read: 1 })
  })

  test('a mail that cannot be kept is read again, and those before it are not', async () => {
    const { server, read, subjects, kept } = await aScene(api, { page: 1 })
    for (const n of [1, 2, 3]) server.deliver(mail(`m${n}`), undefined, at(n))
    const ours = new Error('The database is away.')
    const keep = async (mails: FetchedMail[]) => {
      if (kept.length === 1) throw ours
      kept.push(...mails)
    }
    await expect(read(100, keep)).rejects.toBe(ours)
    await read()
    expect(subjects().filter((subject) => subject === 'm1').length).toBeLessThanOrEqual(2)
    expect(new Set(subjects())).toEqual(new Set(['m1', 'm2', 'm3']))
  })

  test('many are read in turns', async () => {
    const { server, read, subjects } = await aScene(api, { page: 5 })
    for (let n = 0; n < 90; n++) server.deliver(mail(`m${n}`), undefined, at(n))
    const turns = []
    for (let turn = 0; turn < 5; turn++) turns.push(await read(40))
    expect(turns.every(({ ok }) => ok)).toBe(true)
    expect(new Set(subjects()).size).toBe(90)
    expect(turns.at(-1)).toMatchObject({ more: false })
    expect(turns.every(({ read: count }) => count <= 40)).toBe(true)
  })

  test('one that was deleted meanwhile is passed over', async () => {
    let deleted = false
    const made = await aScene(api, {
      play: (_, { path }) => {
        if (!path.includes('/messages/') || path.endsWith('delta') || deleted) return undefined
        deleted = true
        return { status: 404 }
      },
    })
    for (const n of [1, 2]) made.server.deliver(mail(`m${n}`), undefined, at(n))
    expect(await made.read()).toMatchObject({ ok: true, read: 1 })
    expect(made.subjects()).toEqual(['m2'])
  })

  test('a mail of which the half came is read again, whole', async () => {
    let isBroken = true
    const { server, read, kept } = await aScene(api, {
      play: (_, { path, query }) =>
        isBroken && (path.endsWith('/$value') || query.get('format') === 'raw') ? { half: true } : undefined,
    })
    const whole = `${mail('long')}${'x'.repeat(20_000)}`
    server.deliver(whole, undefined, at(1))
    expect(await read()).toMatchObject({
      ok: false,
      reason: 'lost',
      error: expect.stringContaining('middle'),
    })
    expect(kept).toEqual([])
    isBroken = false
    expect(await read()).toMatchObject({ ok: true, read: 1 })
    expect(kept.map(({ raw }) => Buffer.from(raw).toString())).toEqual([whole])
  })

  test('of a large mail the beginning is kept, and it is known to have been larger', async () => {
    const { server, read, kept } = await aScene(api)
    server.deliver(`${mail('large')}${'x'.repeat(3_000_000)}`, undefined, at(1))
    expect(await read()).toMatchObject({ ok: true, read: 1 })
    expect(kept[0]?.raw.length).toBe(1024 * 1024 + 1)
  })

  test.each([
    ['a token that is not good', { takesToken: () => false }, 'auth'],
    ['a limit', { play: () => ({ status: 429 }) }, 'lost'],
    ['a bad moment', { play: () => ({ status: 503 }) }, 'lost'],
    ['an answer of another form', { play: () => ({ status: 200, body: '[]' }) }, 'lost'],
    ['a line that breaks', { play: () => ({ drop: true as const }) }, 'lost'],
  ])('%s is told, without the token', async (_, options, reason) => {
    const { read, find } = await aScene(api, options)
    for (const outcome of [await read(), await find('<0190-1@sender.test>')]) {
      expect(outcome).toMatchObject({ ok: false, reason })
      expect(JSON.stringify(outcome)).not.toContain('secret-token')
    }
  })

  test('what left is found by what stays of it, whatever its Message-ID became', async () => {
    const { send, find, server } = await aScene(api)
    await send()
    await send({ message_id: '<0190-2@sender.test>' })
    const named = server.sent().map((raw) => readField(raw, 'Message-ID'))
    expect(await find('<0190-2@sender.test>')).toEqual({ ok: true, found: { message_id: named[1] } })
    expect(await find('<0190-3@sender.test>')).toEqual({ ok: true, found: null })
  })

  test('a draft is no copy', async () => {
    const { send, find } = await aScene(api, {
      play: (step) => (step === 'send' ? { drop: true } : undefined),
    })
    expect(await send()).toMatchObject({ outcome: 'unknown' })
    expect(await find('<0190-1@sender.test>')).toEqual({ ok: true, found: null })
  })
})

test('a link to another host is not followed with the token', async () => {
  const elsewhere = 'https://elsewhere.test/v1.0/me/mailFolders/inbox/messages/delta?$deltatoken=1'
  const { read, cursors } = await aScene('graph', {
    play: (_, { path }) =>
      path.endsWith('inbox/messages/delta')
        ? { status: 200, body: { value: [], '@odata.deltaLink': elsewhere } }
        : undefined,
  })
  await read()
  expect(cursors.get('Graph inbox')?.sync_token).toBe(elsewhere)
  expect(await read()).toMatchObject({ ok: false, reason: 'blocked' })
})
