import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type SocialAction, SocialReadError } from '#lib/providers/social/port'
import { createUnipile } from '#lib/providers/social/unipile/driver'
import { scriptedServer } from '#tests/support/servers/scripted-server'

const SECRET = 'a secret of webhooks'
const NOW = new Date('2026-11-21T09:00:00.000Z')
const ACCOUNT = { provider_account_id: 'acc_1', network: 'linkedin' } as const
const MESSAGE: SocialAction = {
  action_type: 'message',
  provider_id: 'ACo1',
  text: 'Hello',
  chat_id: 'chat 1',
}

type Replies = Parameters<typeof scriptedServer>[0]

/** Silence is waited for; an answer comes, however busy the machine. */
const patience = (replies: Replies) => (replies.some(({ never }) => never) ? 2_000 : 60_000)
let close: (() => Promise<unknown>) | undefined
afterEach(() => close?.())

async function unipile(replies: Replies) {
  const server = await scriptedServer(replies)
  close = server.close
  const timeout_ms = patience(replies)
  const is_link_state = (state: string) => state === 'ours'
  const options = { dsn: server.url, api_key: 'key', webhook_secret: SECRET, timeout_ms }
  const driver = createUnipile({ classic: { ...options, is_link_state }, clock: () => NOW })
  return { driver, heard: server.heard }
}

const problem = (type: string) => ({ type: `errors/${type}`, title: 'No', detail: 'because', status: 0 })

describe('an offer', () => {
  test('to a chat goes there, and to a person starts one', async () => {
    const { driver, heard } = await unipile([
      { status: 201, body: { object: 'MessageSent', message_id: 'm1' } },
      { status: 201, body: { object: 'ChatStarted', chat_id: 'c2', message_id: 'm2' } },
    ])
    const first = await driver.act(ACCOUNT, MESSAGE, 'ref')
    expect(first).toMatchObject({
      outcome: 'accepted',
      result: { chat_id: 'chat 1', message_id: 'm1', invitation_id: null },
    })
    const second = await driver.act(ACCOUNT, { ...MESSAGE, chat_id: null }, 'ref')
    expect(second).toMatchObject({ outcome: 'accepted', result: { chat_id: 'c2', message_id: 'm2' } })
    expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'POST /api/v1/chats/chat%201/messages',
      'POST /api/v1/chats',
    ])
    expect(heard[0]?.headers['x-api-key']).toBe('key')
    expect(heard[1]?.body).toMatch(/name="attendees_ids"\r\n\r\nACo1/)
    expect(heard[1]?.body).toMatch(/name="account_id"\r\n\r\nacc_1/)
  })

  test('is told of without what a database refuses', async () => {
    const { driver } = await unipile([
      { status: 400, body: { ...problem('invalid_message'), detail: `no\0w${'😀'.slice(0, 1)}` } },
      { status: 400, body: 'n\0o JSON' },
    ])
    expect(await driver.act(ACCOUNT, MESSAGE, 'ref')).toMatchObject({ response: '400 No: now\ufffd' })
    expect(await driver.act(ACCOUNT, MESSAGE, 'ref')).toMatchObject({ response: '400 no JSON' })
  })

  test.each<[string, Replies[number], object]>([
    [
      '429',
      { status: 429, body: problem('too_many_requests') },
      { outcome: 'refused_for_now', retry_after_seconds: 900 },
    ],
    [
      'a limit and when to come back',
      { status: 422, headers: { 'retry-after': '77' }, body: problem('limit_exceeded') },
      { outcome: 'refused_for_now', retry_after_seconds: 77, code: 'limit_exceeded', blames: 'sender' },
    ],
    [
      'a limit of the network',
      { status: 422, body: problem('cannot_resend_yet') },
      { outcome: 'refused_for_now', retry_after_seconds: 86_400, blames: 'sender' },
    ],
    [
      'nobody there',
      { status: 422, body: problem('invalid_recipient') },
      { outcome: 'refused_for_good', blames: 'recipient' },
    ],
    [
      'a stranger',
      { status: 422, body: problem('no_connection_with_recipient') },
      { outcome: 'refused_for_good', blames: 'recipient', code: 'no_connection_with_recipient' },
    ],
    [
      '404',
      { status: 404, body: problem('resource_not_found') },
      { outcome: 'refused_for_good', blames: 'recipient' },
    ],
    [
      'a text too long',
      { status: 400, body: problem('too_many_characters') },
      { outcome: 'refused_for_good', blames: 'message' },
    ],
    [
      'a feature not paid for',
      { status: 403, body: problem('feature_not_subscribed') },
      { outcome: 'refused_for_good', blames: 'sender' },
    ],
    [
      'no InMail left',
      { status: 422, body: problem('insufficient_credits') },
      { outcome: 'refused_for_good', blames: 'sender' },
    ],
    [
      'a lost account',
      { status: 401, body: problem('disconnected_account') },
      { outcome: 'never_left', sender_rejected: true },
    ],
    [
      'a wrong key of ours',
      { status: 401, body: problem('missing_credentials') },
      { outcome: 'never_left', sender_rejected: false },
    ],
    ['a crash of the API', { status: 500, body: problem('unexpected_error') }, { outcome: 'unknown' }],
    ['a gateway that gave up', { status: 504, body: '<h1>504</h1>' }, { outcome: 'unknown' }],
    ['a gateway that says OK', { status: 200, body: '<h1>Welcome</h1>' }, { outcome: 'unknown' }],
    ['an answer in another form', { status: 200, body: ['no'] }, { outcome: 'unknown' }],
    ['a connection that broke', { hangUp: true }, { outcome: 'unknown' }],
    ['silence', { never: true }, { outcome: 'unknown' }],
  ])('that meets %s ends as it must', async (_, reply, expected) => {
    const { driver, heard } = await unipile([reply])
    expect(await driver.act(ACCOUNT, MESSAGE, 'ref')).toMatchObject(expected)
    // Once: whatever came of it, a second offer is somebody else's decision.
    expect(heard).toHaveLength(1)
  })

  test('to a server that is not there never left', async () => {
    const { driver } = await unipile([{}])
    await close?.()
    expect(await driver.act(ACCOUNT, MESSAGE, 'ref')).toMatchObject({
      outcome: 'never_left',
      sender_rejected: false,
    })
  })

  test('that needs a look first is not made where the look fails', async () => {
    const like: SocialAction = { action_type: 'like_post', provider_id: 'ACo1' }
    for (const [reply, expected] of [
      [{ status: 500, body: {} }, { outcome: 'never_left' }],
      [{ never: true }, { outcome: 'never_left' }],
      [{ body: { items: [] } }, { outcome: 'refused_for_good', blames: 'recipient' }],
      [{ status: 429, body: {} }, { outcome: 'refused_for_now' }],
    ] as const) {
      const { driver, heard } = await unipile([reply])
      expect(await driver.act(ACCOUNT, like, 'ref')).toMatchObject(expected)
      expect(heard.map(({ method }) => method)).toEqual(['GET'])
      await close?.()
    }
  })

  test.each<[SocialAction, Replies, string[]]>([
    [
      { action_type: 'connection_request', provider_id: 'ACo1', note: 'Hi' },
      [{ body: { object: 'UserInvitationSent', invitation_id: 'i1' } }],
      ['POST /api/v1/users/invite'],
    ],
    [
      { action_type: 'withdraw_invitation', provider_id: 'ACo1', invitation_id: null },
      [{ body: { items: [{ id: 'i7', invited_user_id: 'ACo1' }], cursor: null } }, { body: {} }],
      [
        'GET /api/v1/users/invite/sent?account_id=acc_1&limit=100',
        'DELETE /api/v1/users/invite/sent/i7?account_id=acc_1',
      ],
    ],
    [
      { action_type: 'comment_post', provider_id: 'ACo1', text: 'Nice' },
      [
        {
          body: {
            items: [
              { id: 'old', parsed_datetime: '2026-01-01T00:00:00.000Z' },
              { id: 'new', social_id: 'urn:new', parsed_datetime: '2026-02-01T00:00:00.000Z' },
            ],
          },
        },
        { body: {} },
      ],
      ['GET /api/v1/users/ACo1/posts?account_id=acc_1&limit=5', 'POST /api/v1/posts/urn%3Anew/comments'],
    ],
    [
      { action_type: 'endorse', provider_id: 'ACo1' },
      [
        {
          body: {
            provider_id: 'ACo1',
            skills: [{ endorsement_id: 3, endorsed: true }, { endorsement_id: 4 }],
          },
        },
        { body: {} },
      ],
      [
        'GET /api/v1/users/ACo1?account_id=acc_1&linkedin_sections=skills',
        'POST /api/v1/linkedin/profile/endorse',
      ],
    ],
    [
      { action_type: 'visit_profile', provider_id: 'ACo1' },
      [{ body: { provider_id: 'ACo1' } }],
      ['GET /api/v1/users/ACo1?account_id=acc_1&notify=true&linkedin_sections=*_preview'],
    ],
  ])('%j is asked of the API as it documents', async (action, replies, asked) => {
    const { driver, heard } = await unipile(replies)
    expect(await driver.act(ACCOUNT, action, 'ref')).toMatchObject({ outcome: 'accepted' })
    expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual(asked)
  })

  test('of a post carries its picture', async () => {
    const { driver, heard } = await unipile([{ status: 201, body: { object: 'PostCreated', post_id: 'p1' } }])
    const image = { filename: 'a.png', content_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) }
    const outcome = await driver.publish(ACCOUNT, { text: 'News', image }, 'ref')
    expect(outcome).toMatchObject({ outcome: 'accepted', result: { provider_post_id: 'p1' } })
    expect(heard[0]?.body).toMatch(/name="attachments"; filename="a.png"\r\nContent-Type: image\/png/)
  })
})

describe('what is read', () => {
  test('a person by the address of a profile', async () => {
    const body = {
      provider_id: 'ACo9',
      public_identifier: 'grace',
      first_name: 'Grace',
      network_distance: 'FIRST_DEGREE',
    }
    const { driver, heard } = await unipile([{ body }])
    expect(await driver.person(ACCOUNT, 'https://www.linkedin.com/in/grace/?trk=1')).toMatchObject({
      provider_id: 'ACo9',
      name: 'Grace',
      relation: 'connected',
    })
    expect(heard[0]?.url).toBe('/api/v1/users/grace?account_id=acc_1')
  })

  test('messages, oldest first, over all pages', async () => {
    const row = (id: string, minute: number) => ({
      id,
      chat_id: 'c',
      text: id,
      is_sender: 0,
      sender_id: 'ACo1',
      timestamp: `2026-11-21T08:0${minute}:00.000Z`,
    })
    const { driver, heard } = await unipile([
      { body: { items: [row('c', 5), row('b', 4)], cursor: 'next' } },
      { body: { items: [row('a', 3), { ...row('event', 2), is_event: 1 }], cursor: null } },
    ])
    const since = new Date('2026-11-21T08:00:00.000Z')
    const page = await driver.messages(ACCOUNT, since, null)
    expect(page.items.map(({ message_id }) => message_id)).toEqual(['a', 'b', 'c'])
    expect(page.items[0]).toMatchObject({ direction: 'in', provider_id: 'ACo1' })
    expect(heard[1]?.url).toContain('cursor=next')
  })

  test.each<[Replies[number], string]>([
    [{ status: 404, body: problem('resource_not_found') }, 'not_found'],
    [{ status: 401, body: problem('disconnected_account') }, 'account_gone'],
    [{ status: 429, body: {} }, 'rate_limited'],
    [{ status: 500, body: 'oops' }, 'unavailable'],
    [{ status: 200, body: '<html>' }, 'unavailable'],
    [{ status: 200, body: { items: 'none' } }, 'unavailable'],
    [{ hangUp: true }, 'unavailable'],
    [{ never: true }, 'unavailable'],
  ])('%j is a reading that failed as %s', async (reply, reason) => {
    const { driver } = await unipile([reply])
    const failure = await driver.postMetrics(ACCOUNT, 'p').catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SocialReadError)
    expect(failure).toMatchObject({ reason })
  })

  test('an account with its state', async () => {
    const body = { id: 'acc_1', type: 'LINKEDIN', name: 'Ada', sources: [{ id: 's', status: 'CREDENTIALS' }] }
    const { driver } = await unipile([{ body }])
    expect(await driver.account('acc_1')).toMatchObject({
      status: 'disconnected',
      status_reason: 'CREDENTIALS',
      kind: 'free',
    })
  })

  test('a link to sign in, with what comes back to us', async () => {
    const { driver, heard } = await unipile([
      { status: 201, body: { object: 'HostedAuthURL', url: 'https://account.unipile.com/x' } },
    ])
    const link = await driver.authLink({
      network: 'linkedin',
      state: 'ours',
      shown_state: 'ours, shown',
      redirect_url: 'https://app.example/back?ticket=1',
      notify_url: 'https://app.example/api/social/unipile',
      expires_at: NOW,
      reconnect: null,
    })
    expect(link).toEqual({ url: 'https://account.unipile.com/x' })
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      type: 'create',
      providers: ['LINKEDIN'],
      name: 'ours',
      expiresOn: '2026-11-21T09:00:00.000Z',
      failure_redirect_url: 'https://app.example/back?ticket=1&failed=1',
    })
  })
})

describe('a request of theirs', () => {
  const status = JSON.stringify({
    AccountStatus: { account_id: 'acc_1', account_type: 'LINKEDIN', message: 'CREDENTIALS' },
  })
  const message = JSON.stringify({
    event: 'message_received',
    account_id: 'acc_1',
    account_info: { user_id: 'ACoMe' },
    chat_id: 'c1',
    message_id: 'm1',
    message: 'Hello',
    timestamp: '2026-11-21T08:59:00.000Z',
    sender: { attendee_provider_id: 'ACo1', attendee_name: 'Grace' },
    attendees: [{ attendee_provider_id: 'ACo1', attendee_name: 'Grace' }],
  })
  const linked = (name: string) => JSON.stringify({ status: 'CREATION_SUCCESS', account_id: 'acc_2', name })
  const signed = (body: string, at = NOW, secret = SECRET) => {
    const t = Math.floor(at.getTime() / 1_000)
    const v0 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    return { 'unipile-signature': `t=${t},v0=${v0}` }
  }
  const read = async (headers: Record<string, string>, body: string) => {
    const { driver } = await unipile([{}])
    return driver.events(new Headers(headers), body)
  }

  test('is believed by the secret in its header or by its signature', async () => {
    const event = { kind: 'account_status', provider_account_id: 'acc_1', status: 'disconnected' }
    expect(await read({ 'unipile-auth': SECRET }, status)).toMatchObject([event])
    expect(await read(signed(status), status)).toMatchObject([event])
    expect(await read({ 'unipile-auth': SECRET }, message)).toEqual([
      {
        kind: 'message',
        provider_account_id: 'acc_1',
        message: {
          message_id: 'm1',
          chat_id: 'c1',
          direction: 'in',
          provider_id: 'ACo1',
          sender_name: 'Grace',
          text: 'Hello',
          at: new Date('2026-11-21T08:59:00.000Z'),
        },
      },
    ])
  })

  test.each<[string, Record<string, string>, string]>([
    ['nothing', {}, status],
    ['another secret', { 'unipile-auth': `${SECRET}!` }, status],
    ['an empty one', { 'unipile-auth': '' }, status],
    ['a signature of another body', signed(message), status],
    ['a signature with another secret', signed(status, NOW, 'another'), status],
    ['an old signature', signed(status, new Date(NOW.getTime() - 301_000)), status],
    ['a signature without its time', { 'unipile-signature': 'v0=00' }, status],
    ['a state of somebody else', {}, linked('theirs')],
  ])('that has %s to show is not', async (_, headers, body) => {
    expect(await read(headers, body)).toBeNull()
  })

  test('a sign-in is believed by our own state alone, and connects nothing else', async () => {
    expect(await read({}, linked('ours'))).toEqual([
      { kind: 'account_connected', provider_account_id: 'acc_2', state: 'ours' },
    ])
  })

  test.each([
    '',
    'null',
    '[]',
    '{"event":"later"}',
    '{"AccountStatus":{}}',
    '{"AccountStatus":{"account_id":"a","message":"NEW"}}',
  ])('that says %j says nothing to us', async (body) => {
    expect(await read({ 'unipile-auth': SECRET }, body)).toEqual([])
  })

  test('our own message in their report goes out', async () => {
    const own = JSON.parse(message)
    own.sender.attendee_provider_id = 'ACoMe'
    const [event] = (await read({ 'unipile-auth': SECRET }, JSON.stringify(own))) ?? []
    expect(event).toMatchObject({ message: { direction: 'out', provider_id: 'ACo1' } })
  })
})
