import { afterAll, describe, expect, test } from 'vitest'
import type { MailProvider } from '#lib/providers/mail/port'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { mailboxAt, message } from '#tests/support/scenes/smtp'
import { aGmailServer, gmailError } from '#tests/support/servers/gmail'
import { aGraphServer, graphError } from '#tests/support/servers/graph'
import type { MailApiServerOptions, Play, Step } from '#tests/support/servers/mail-api'
import { readField } from '#tests/support/servers/mail-api'

const closers: (() => Promise<unknown>)[] = []
afterAll(() => Promise.all(closers.map((close) => close())))

const NOW = new Date('2026-03-02T09:00:00Z')
const SERVERS = { gmail: aGmailServer, graph: aGraphServer }
const DRIVERS = { gmail: createGmailProvider, graph: createGraphProvider }
type Api = keyof typeof SERVERS

type Options = MailApiServerOptions & { rewrites?: boolean }

async function aScene(api: Api, options: Options = {}, timeout_ms = 30_000) {
  const server = await SERVERS[api]({ clock: () => NOW, ...options })
  closers.push(server.close)
  const outbound = { policy: { allow_private_hosts: true } }
  const driver: MailProvider = DRIVERS[api]({ origin: server.origin, outbound, clock: () => NOW, timeout_ms })
  const mailbox = mailboxAt(1, { access_token: 'secret-token', password: null, api })
  const count = (suffix: string) =>
    server.asked.filter(({ method, path }) => method === 'POST' && path.endsWith(suffix)).length
  return { server, driver, mailbox, send: (over = {}) => driver.send(mailbox, message(over)), count }
}

const never = (reason: string) => ({ outcome: 'never_left', reason })
const sendsOf = { gmail: '/drafts/send', graph: '/send' }
const GMAIL_PAGE = { status: 502, body: '<html>502 Bad Gateway secret-token</html>' }

type Case = { at: string; step: Step; play: Play; expected: object; sent?: number; drafts?: number }

/** The cases that both APIs have. */
const COMMON: Case[] = [
  { at: 'cut before a draft was made', step: 'draft', play: { drop: true }, expected: never('lost') },
  {
    at: 'a draft made, and the line cut',
    step: 'draft',
    play: { acts: true, drop: true },
    expected: never('lost'),
    drafts: 1,
  },
  { at: '500 to the draft', step: 'draft', play: { status: 500 }, expected: never('lost') },
  {
    at: '503 to the draft',
    step: 'draft',
    play: { status: 503, headers: { 'retry-after': '30' } },
    expected: never('lost'),
  },
  {
    at: 'an answer that names no draft',
    step: 'draft',
    play: { status: 200, body: 'Welcome' },
    expected: never('lost'),
  },
  {
    at: '413 to the draft',
    step: 'draft',
    play: { status: 413 },
    expected: { outcome: 'refused_for_good', blames: 'message', code: 413 },
  },
  { at: 'cut before it acted', step: 'send', play: { drop: true }, expected: { outcome: 'unknown' } },
  {
    at: 'cut after it acted',
    step: 'send',
    play: { acts: true, drop: true },
    expected: { outcome: 'unknown' },
    sent: 1,
  },
  {
    at: '500 after it acted',
    step: 'send',
    play: { acts: true, status: 500 },
    expected: { outcome: 'unknown' },
    sent: 1,
  },
  {
    at: '504 after it acted',
    step: 'send',
    play: { acts: true, status: 504 },
    expected: { outcome: 'unknown' },
    sent: 1,
  },
  { at: 'a page of a gateway', step: 'send', play: GMAIL_PAGE, expected: { outcome: 'unknown' } },
  { at: '408', step: 'send', play: { status: 408 }, expected: { outcome: 'unknown' } },
  { at: '404 to the send', step: 'send', play: { status: 404 }, expected: { outcome: 'unknown' } },
  {
    at: 'throttled, and it left all the same',
    step: 'send',
    play: { acts: true, status: 429 },
    expected: { outcome: 'unknown' },
    sent: 1,
  },
  {
    at: 'throttled at the send',
    step: 'send',
    play: { status: 429, headers: { 'retry-after': '120' } },
    expected: { outcome: 'refused_for_now', blames: 'sender', stage: 'mail', retry_after_ms: 120_000 },
  },
  {
    at: 'throttled at the draft',
    step: 'draft',
    play: { status: 429, headers: { 'retry-after': 'Mon, 02 Mar 2026 09:05:00 GMT' } },
    expected: { outcome: 'refused_for_now', blames: 'sender', retry_after_ms: 300_000 },
  },
]

const LIMITS = [
  'rateLimitExceeded',
  'userRateLimitExceeded',
  'dailyLimitExceeded',
  'quotaExceeded',
  'concurrentLimitExceeded',
]
const rate = (reason: string, wait = '') => gmailError(403, reason, `${reason}.${wait}`)
const GMAIL: Case[] = [
  ...LIMITS.map((reason) => ({
    at: reason,
    step: 'draft' as const,
    play: rate(reason),
    expected: { outcome: 'refused_for_now', blames: 'sender', retry_after_ms: null },
  })),
  {
    at: 'a limit with its end',
    step: 'send',
    play: gmailError(
      429,
      'userRateLimitExceeded',
      'User-rate limit exceeded.  Retry after 2026-03-02T09:12:00.000Z',
    ),
    expected: { outcome: 'refused_for_now', retry_after_ms: 720_000 },
  },
  {
    at: 'no scope',
    step: 'draft',
    play: gmailError(403, 'insufficientPermissions'),
    expected: never('scope'),
  },
  {
    at: 'not allowed in its domain',
    step: 'draft',
    play: gmailError(403, 'domainPolicy'),
    expected: never('policy'),
  },
  {
    at: 'no mail there',
    step: 'draft',
    play: gmailError(400, 'failedPrecondition', 'Mail service not enabled'),
    expected: never('policy'),
  },
  {
    at: 'the API not enabled',
    step: 'draft',
    play: gmailError(403, 'accessNotConfigured'),
    expected: never('client'),
  },
  {
    at: 'no such address',
    step: 'send',
    play: gmailError(400, 'invalidArgument', 'Invalid To header'),
    expected: { outcome: 'refused_for_good', blames: 'recipient' },
  },
  {
    at: 'a message it cannot read',
    step: 'draft',
    play: gmailError(400, 'invalidArgument', 'Invalid value'),
    expected: { outcome: 'refused_for_good', blames: 'message' },
  },
]

const THROTTLED = { outcome: 'refused_for_now', blames: 'sender' }
const OF_SENDER = { outcome: 'refused_for_good', blames: 'sender', stage: 'mail' }
const OF_MESSAGE = { outcome: 'refused_for_good', blames: 'message' }
const refusedByGraph = (at: string, step: Step, status: number, code: string, expected: object): Case => ({
  at,
  step,
  play: graphError(status, code),
  expected,
})
const GRAPH: Case[] = [
  refusedByGraph('an app that asks too much', 'draft', 429, 'ApplicationThrottled', THROTTLED),
  refusedByGraph('a limit of the mailbox', 'send', 403, 'ErrorExceededMessageLimit', THROTTLED),
  refusedByGraph('no permission', 'draft', 403, 'ErrorAccessDenied', never('policy')),
  refusedByGraph('no mailbox there', 'draft', 404, 'MailboxNotEnabledForRESTAPI', never('policy')),
  refusedByGraph('a mailbox that is full', 'draft', 403, 'ErrorQuotaExceeded', OF_SENDER),
  refusedByGraph(
    'a mailbox on a server of its own',
    'draft',
    404,
    'MailboxNotHostedInExchangeOnline',
    never('policy'),
  ),
  refusedByGraph('a consent that is missing', 'draft', 403, 'Authorization_RequestDenied', never('policy')),
  refusedByGraph('sending that is blocked', 'send', 403, 'ErrorMessageSubmissionBlocked', THROTTLED),
  refusedByGraph('too large', 'send', 413, 'ErrorMessageSizeExceeded', OF_MESSAGE),
  refusedByGraph('an address that it may not send from', 'send', 403, 'ErrorSendAsDenied', OF_SENDER),
  refusedByGraph('no such address', 'send', 400, 'ErrorInvalidRecipients', {
    outcome: 'refused_for_good',
    blames: 'recipient',
  }),
  refusedByGraph('bad MIME', 'draft', 400, 'ErrorMimeContentInvalid', OF_MESSAGE),
  {
    at: '202 with Retry-After',
    step: 'send',
    play: { acts: true, status: 202, headers: { 'retry-after': '60' } },
    expected: { outcome: 'accepted' },
    sent: 1,
  },
  {
    at: 'a property that it refuses',
    step: 'tag',
    play: graphError(400, 'ErrorInvalidProperty'),
    expected: { outcome: 'accepted' },
    sent: 1,
  },
  {
    at: 'cut while it is tagged',
    step: 'tag',
    play: { drop: true },
    expected: { ...never('lost'), draft: expect.any(String) },
    drafts: 1,
  },
]

const TABLE = [
  ...COMMON.flatMap((each) => [
    { api: 'gmail' as const, ...each },
    { api: 'graph' as const, ...each },
  ]),
  ...GMAIL.map((each) => ({ api: 'gmail' as const, ...each })),
  ...GRAPH.map((each) => ({ api: 'graph' as const, ...each })),
]

test.concurrent.each(TABLE)(
  '$api, $at: $expected.outcome',
  async ({ api, step, play, expected, sent = 0, drafts }) => {
    const { server, send, count } = await aScene(api, { play: (at) => (at === step ? play : undefined) })
    const outcome = await send()
    expect(outcome).toMatchObject(expected)
    expect(JSON.stringify(outcome)).not.toContain('secret-token')
    expect(server.sent()).toHaveLength(sent)
    // Whatever the outcome, sending was requested at most once.
    expect(count(sendsOf[api])).toBeLessThanOrEqual(1)
    if (drafts !== undefined) expect(server.drafts.size).toBe(drafts)
    else if (outcome.outcome !== 'unknown') expect(server.drafts.size).toBe(0)
  },
)

describe.each(['gmail', 'graph'] as const)('%s', (api) => {
  test('a message leaves once, as it would by SMTP, and the Message-ID that it got is read back', async () => {
    const { server, send, count } = await aScene(api)
    const headers = { 'List-Unsubscribe': '<https://a.test/u>' }
    const outcome = await send({ headers })
    expect(outcome).toMatchObject({ outcome: 'accepted' })
    const [raw = ''] = server.sent()
    expect(outcome).toMatchObject({ server_message_id: readField(raw, 'Message-ID') })
    expect(readField(raw, 'To')).toContain('grace@lead.test')
    expect(readField(raw, 'List-Unsubscribe')).toBe('<https://a.test/u>')
    expect(raw).toContain('multipart/alternative')
    expect([count(sendsOf[api]), server.drafts.size]).toEqual([1, 0])
  })

  test('one whose Message-ID stays says nothing of another', async () => {
    const { send } = await aScene(api, { rewrites: false })
    expect(await send()).toMatchObject({ outcome: 'accepted', server_message_id: null })
  })

  test('silence after the draft is unknown, before it never left', async () => {
    const hang = (step: Step) =>
      aScene(api, { play: (at) => (at === step ? { hang: true } : undefined) }, 300)
    expect(await (await hang('draft')).send()).toMatchObject(never('lost'))
    expect(await (await hang('send')).send()).toMatchObject({ outcome: 'unknown' })
  })

  test('a token refused in mid-send names the draft, and the next try sends that one', async () => {
    let good = true
    const { server, send, driver, mailbox } = await aScene(api, {
      takesToken: (token) => good || token === 'anew',
      play: (step) => {
        if (step !== 'send') return undefined
        const refused = good
        good = false
        return refused ? { status: 401 } : undefined
      },
    })
    const first = await send()
    expect(first).toMatchObject({ ...never('auth'), draft: expect.any(String) })
    const { draft = null } = first as { draft?: string }
    const second = await driver.send({ ...mailbox, access_token: 'anew' }, message({ draft }))
    expect(second).toMatchObject({ outcome: 'accepted' })
    expect([server.sent().length, server.drafts.size]).toEqual([1, 0])
  })

  test('nobody there, a private network, a token that is not good: never left, and the mailbox is looked at', async () => {
    const { server, send, driver, mailbox } = await aScene(api, { takesToken: () => false })
    expect(await driver.verify(mailbox)).toMatchObject({ ok: false, reason: 'auth' })
    expect(await send()).toMatchObject(never('auth'))
    await server.close()
    expect(await send()).toMatchObject(never('connect'))
    const guarded = DRIVERS[api]({
      origin: server.origin,
      outbound: { policy: { allow_private_hosts: false } },
    })
    expect(await guarded.send(mailbox, message())).toMatchObject(never('blocked'))
    const good = await aScene(api)
    expect(await good.driver.verify(good.mailbox)).toEqual({ ok: true })
  })

  test('at most four at once of one mailbox', async () => {
    let [now, most] = [0, 0]
    const { send } = await aScene(api, {
      play: (step) => {
        if (step === 'draft') most = Math.max(most, ++now)
        if (step === 'send') now -= 1
        return undefined
      },
    })
    const outcomes = await Promise.all(Array.from({ length: 12 }, () => send()))
    expect(outcomes.every(({ outcome }) => outcome === 'accepted')).toBe(true)
    expect(most).toBeLessThanOrEqual(4)
  })
})

test('a follow-up goes into the conversation of the message before, and without it where that is gone', async () => {
  const { server, send } = await aScene('gmail')
  const first = await send()
  const before = 'server_message_id' in first ? first.server_message_id : null
  await send({ message_id: '<0190-2@sender.test>', in_reply_to: before, references: [before] })
  await send({ message_id: '<0190-3@sender.test>', in_reply_to: '<gone@sender.test>' })
  const [one, two, three] = 'threads' in server ? server.threads() : []
  expect([two === one, three === one]).toEqual([true, false])
  expect(server.sent().map((raw) => readField(raw, 'In-Reply-To'))).toEqual([
    null,
    before,
    '<gone@sender.test>',
  ])
})
