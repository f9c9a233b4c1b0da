import { createHmac } from 'node:crypto'
import { afterEach, describe, expect, test } from 'vitest'
import { type SocialAction, SocialReadError } from '#lib/providers/social/port'
import { createUnipile } from '#lib/providers/social/unipile/driver'
import { scriptedServer } from '#tests/support/scripted-server'

const SECRET = 'wes_a secret of an endpoint'
const NOW = new Date('2026-11-21T09:00:00.000Z')
const ACCOUNT = { provider_account_id: 'acc_1', network: 'linkedin' } as const
const TELEGRAM = { provider_account_id: 'acc_2', network: 'telegram' } as const
const MESSAGE: SocialAction = {
  action_type: 'message',
  provider_id: 'ACo1',
  text: 'Hello',
  chat_id: '2-chat=',
}

type Replies = Parameters<typeof scriptedServer>[0]

/** Silence is waited for; an answer comes, however busy the machine. */
const patience = (replies: Replies) => (replies.some(({ never }) => never) ? 2_000 : 60_000)
const closing: (() => Promise<unknown>)[] = []
afterEach(() => Promise.all(closing.splice(0).map((close) => close())))

async function speaking(replies: Replies) {
  const server = await scriptedServer(replies)
  closing.push(server.close)
  return server
}

async function unipile(replies: Replies) {
  const server = await speaking(replies)
  const timeout_ms = patience(replies)
  const current = { url: `${server.url}/v2`, api_key: 'key', webhook_secret: SECRET, timeout_ms }
  return { driver: createUnipile({ current, clock: () => NOW }), heard: server.heard }
}

const problem = (type: string) => ({ object: 'Error', type, status: 0, title: 'No', detail: 'because' })
const profile = (specifics: object = {}) => ({
  object: 'UserProfile',
  id: 'ACo1',
  public_identifier: 'grace',
  display_name: 'Grace Hopper',
  specifics,
})

describe('an offer', () => {
  test.each<[string, SocialAction, Replies, string[], object | undefined, object]>([
    [
      'in a chat',
      MESSAGE,
      [{ body: { object: 'MessageSent', message_id: 'm1' } }],
      ['POST /v2/acc_1/chats/2-chat%3D/messages/send'],
      { text: 'Hello' },
      { chat_id: '2-chat=', message_id: '2-chat=/m1' },
    ],
    [
      'to a person',
      { ...MESSAGE, chat_id: null },
      [{ body: { object: 'ChatStarted', chat_id: 'c2', message_id: 'm2' } }],
      ['POST /v2/acc_1/inboxes/CLASSIC_PRIMARY/chats/send'],
      { users_ids: ['ACo1'], text: 'Hello' },
      { chat_id: 'c2', message_id: 'c2/m2' },
    ],
    [
      'of an InMail',
      { action_type: 'inmail', provider_id: 'ACo1', text: 'Hello', subject: 'A word' },
      [{ body: { object: 'ChatStarted', chat_id: 'c3', message_id: null } }],
      ['POST /v2/acc_1/inboxes/CLASSIC_PRIMARY/chats/send'],
      { users_ids: ['ACo1'], name: 'A word', specifics: { linkedin: { classic: { inmail: true } } } },
      { chat_id: 'c3', message_id: null },
    ],
    [
      'of an invitation',
      { action_type: 'connection_request', provider_id: 'ACo1', note: 'Hi' },
      [{ status: 201, body: { object: 'RelationRequest', id: 'i1', type: 'sent' } }],
      ['POST /v2/acc_1/users/me/relation-requests'],
      { user_id: 'ACo1', message: 'Hi' },
      { invitation_id: 'i1' },
    ],
    [
      'to withdraw one whose id is not known',
      { action_type: 'withdraw_invitation', provider_id: 'ACo1', invitation_id: null },
      [
        { body: { data: [{ id: 'i6', user: { id: 'ACo6' } }] } },
        { body: { data: [{ id: 'i7', user: { id: 'ACo1' } }] } },
        { body: {} },
      ],
      [
        'GET /v2/acc_1/users/me/relation-requests?type=sent&limit=100&offset=0',
        'GET /v2/acc_1/users/me/relation-requests?type=sent&limit=100&offset=100',
        'POST /v2/acc_1/users/me/relation-requests/i7/cancel',
      ],
      undefined,
      {},
    ],
    [
      'of a visit, which is reported with the token of the profile',
      { action_type: 'visit_profile', provider_id: 'ACo1' },
      [{ body: profile({ notify_visit_token: 'a token' }) }, { body: {} }],
      ['GET /v2/acc_1/users/ACo1', 'POST /v2/acc_1/users/visit-profile?token=a+token'],
      undefined,
      {},
    ],
    [
      'to follow',
      { action_type: 'follow', provider_id: 'ACo1' },
      [{ body: { object: 'Followed' } }],
      ['POST /v2/acc_1/users/me/follow/ACo1'],
      undefined,
      {},
    ],
    [
      'of a like for the newest post',
      { action_type: 'like_post', provider_id: 'ACo1' },
      [
        {
          body: {
            data: [
              { id: 'old', created_at: '2026-01-01T00:00:00.000Z' },
              { id: 'urn:new', created_at: '2026-02-01T00:00:00.000Z' },
            ],
          },
        },
        { body: {} },
      ],
      ['GET /v2/acc_1/users/ACo1/posts?limit=5', 'POST /v2/acc_1/posts/urn%3Anew/reactions'],
      { reaction: 'linkedin_like' },
      {},
    ],
    [
      'of a comment',
      { action_type: 'comment_post', provider_id: 'ACo1', text: 'Nice' },
      [{ body: { data: [{ id: 'p1' }] } }, { status: 201, body: { id: 'comment' } }],
      ['GET /v2/acc_1/users/ACo1/posts?limit=5', 'POST /v2/acc_1/posts/p1/comments'],
      { text: 'Nice' },
      {},
    ],
  ])('%s is made of the API as it documents', async (_, action, replies, asked, json, result) => {
    const { driver, heard } = await unipile(replies)
    const outcome = await driver.act(ACCOUNT, action, 'ref')
    expect(outcome).toMatchObject({ outcome: 'accepted', result })
    expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual(asked)
    expect(heard.at(-1)?.headers['x-api-key']).toBe('key')
    if (json) expect(JSON.parse(heard.at(-1)?.body ?? '')).toMatchObject(json)
  })

  test('on another network begins a chat outside of inboxes', async () => {
    const { driver, heard } = await unipile([{ body: { chat_id: 'c', message_id: '7' } }])
    const outcome = await driver.act(TELEGRAM, { ...MESSAGE, chat_id: null }, 'ref')
    expect(outcome).toMatchObject({ outcome: 'accepted', result: { message_id: 'c/7' } })
    expect(heard[0]?.url).toBe('/v2/acc_2/chats/send')
  })

  test.each<[string, SocialAction]>([
    ['endorse', { action_type: 'endorse', provider_id: 'ACo1' }],
    [
      'report a visit that the profile gives no token for',
      { action_type: 'visit_profile', provider_id: 'ACo1' },
    ],
  ])('to %s is refused before anything is done', async (_, action) => {
    const { driver, heard } = await unipile([{ body: profile() }])
    expect(await driver.act(ACCOUNT, action, 'ref')).toMatchObject({
      outcome: 'refused_for_good',
      code: 'not_supported',
    })
    expect(heard.filter(({ method }) => method !== 'GET')).toEqual([])
  })

  test.each<[string, Replies[number], object]>([
    [
      'a limit',
      { status: 429, headers: { 'retry-after': '60' }, body: problem('api/too_many_requests') },
      { outcome: 'refused_for_now', retry_after_seconds: 60, blames: 'sender' },
    ],
    [
      'a limit of the network',
      { status: 429, body: problem('provider/too_many_requests') },
      { outcome: 'refused_for_now', retry_after_seconds: 900 },
    ],
    [
      'an account that is signed out',
      { status: 401, body: problem('provider/invalid_authorization') },
      { outcome: 'never_left', sender_rejected: true },
    ],
    [
      'a key of ours that is wrong',
      { status: 401, body: problem('api/missing_authorization') },
      { outcome: 'never_left', sender_rejected: false },
    ],
    [
      'a key of ours in a wrong form',
      { status: 400, body: problem('api/invalid_auth_format') },
      { outcome: 'never_left', sender_rejected: false },
    ],
    [
      'nobody there',
      { status: 404, body: problem('provider/resource_not_found') },
      { outcome: 'refused_for_good', blames: 'recipient' },
    ],
    [
      'what was done already',
      { status: 409, body: problem('provider/conflict') },
      { outcome: 'refused_for_good', blames: 'recipient' },
    ],
    [
      'a text that is not taken',
      { status: 400, body: problem('provider/invalid_parameters') },
      { outcome: 'refused_for_good', blames: 'message' },
    ],
    [
      'what is not there yet',
      { status: 501, body: problem('api/not_implemented') },
      { outcome: 'refused_for_good', blames: 'sender' },
    ],
    ['a broken proxy', { status: 502, body: problem('api/proxy_error') }, { outcome: 'unknown' }],
    ['a network too slow', { status: 504, body: problem('provider/timeout') }, { outcome: 'unknown' }],
    ['a page of a gateway', { status: 200, body: '<h1>OK</h1>' }, { outcome: 'unknown' }],
    ['a connection that broke', { hangUp: true }, { outcome: 'unknown' }],
    ['silence', { never: true }, { outcome: 'unknown' }],
  ])('that meets %s ends as it must', async (_, reply, expected) => {
    const { driver, heard } = await unipile([reply])
    expect(await driver.act(ACCOUNT, MESSAGE, 'ref')).toMatchObject(expected)
    expect(heard).toHaveLength(1)
  })

  test('of a post carries its picture, and a post can be taken down', async () => {
    const { driver, heard } = await unipile([
      { status: 201, body: { id: 'p1', share_url: 'https://linkedin.com/p1', text: 'News' } },
      { status: 204 },
    ])
    const image = { filename: 'a.png', content_type: 'image/png', bytes: new Uint8Array([1, 2, 3]) }
    expect(await driver.publish(ACCOUNT, { text: 'News', image }, 'ref')).toMatchObject({
      outcome: 'accepted',
      result: { provider_post_id: 'p1', url: 'https://linkedin.com/p1' },
    })
    expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({
      text: 'News',
      attachments: [{ filename: 'a.png', content_type: 'image/png', content: 'AQID' }],
    })
    expect(await driver.deletePost(ACCOUNT, 'p1')).toMatchObject({ outcome: 'accepted' })
    expect(`${heard[1]?.method} ${heard[1]?.url}`).toBe('DELETE /v2/acc_1/posts/p1')
  })
})

describe('what is read', () => {
  test.each<[object, string, string | null]>([
    [{ network_distance: 'FIRST_DEGREE' }, 'connected', null],
    [{ network_distance: 'SECOND_DEGREE', relation_request: { id: 'i1', type: 'sent' } }, 'invited', 'i1'],
    [{ network_distance: 'SECOND_DEGREE', relation_request: { id: 'i1', type: 'received' } }, 'none', null],
    [{}, 'none', null],
  ])('a person of %j stands to the account as %s', async (specifics, relation, invitation_id) => {
    const { driver, heard } = await unipile([{ body: profile(specifics) }])
    const person = await driver.person(ACCOUNT, 'https://www.linkedin.com/in/grace/?trk=1')
    expect(person).toMatchObject({ provider_id: 'ACo1', name: 'Grace Hopper', relation, invitation_id })
    expect(heard[0]?.url).toBe('/v2/acc_1/users/grace')
  })

  test.each<[object, object, object]>([
    [{ status: 'running' }, { is_premium: true }, { status: 'connected', kind: 'premium', handle: 'grace' }],
    [
      { status: 'running', metadata: { products_connection_status: { sales_navigator: 'running' } } },
      {},
      { status: 'connected', kind: 'sales_navigator' },
    ],
    [{ status: 'disconnected' }, {}, { status: 'disconnected', status_reason: 'disconnected' }],
    [{ status: 'errored' }, {}, { status: 'disconnected', status_reason: 'errored' }],
  ])('an account of %j with a profile of %j is %j', async (account, specifics, expected) => {
    const own = { id: 'acc_1', user_id: 'ACo1', provider: 'linkedin', name: 'Grace', ...account }
    const { driver } = await unipile([{ body: own }, { body: profile(specifics) }])
    expect(await driver.account('acc_1')).toMatchObject({ network: 'linkedin', name: 'Grace', ...expected })
  })

  test('messages of the chats that moved, oldest first, with whom only where a chat is of two', async () => {
    const row = (id: string, chat_id: string, minute: number, more: object = {}) => ({
      id,
      chat_id,
      text: id,
      sender_id: 'ACo1',
      is_sender: false,
      timestamp: `2026-11-21T08:0${minute}:00.000Z`,
      ...more,
    })
    const { driver, heard } = await unipile([
      {
        body: {
          data: [
            { id: 'c1', is_1to1: true, user_id: 'ACo1', last_message_timestamp: '2026-11-21T08:05:00.000Z' },
            { id: 'c2', is_1to1: false, last_message_timestamp: '2026-11-21T08:04:00.000Z' },
            { id: 'c3', is_1to1: true, user_id: 'ACo3', last_message_timestamp: '2026-11-20T08:00:00.000Z' },
          ],
        },
      },
      { body: { data: [row('5', 'c1', 5), row('3', 'c1', 3, { is_sender: true })], next_cursor: 'next' } },
      { body: { data: [row('1', 'c1', 1, { is_event: true }), row('0', 'c1', 0)] } },
      { body: { data: [row('4', 'c2', 4)] } },
    ])
    const { items, next_cursor } = await driver.messages(ACCOUNT, new Date('2026-11-21T08:00:30.000Z'), null)
    expect(next_cursor).toBeNull()
    expect(
      items.map(({ message_id, direction, provider_id }) => [message_id, direction, provider_id]),
    ).toEqual([
      ['c1/3', 'out', 'ACo1'],
      ['c2/4', 'in', null],
      ['c1/5', 'in', 'ACo1'],
    ])
    expect(heard.map(({ url }) => url)).toEqual([
      '/v2/acc_1/inboxes/CLASSIC_PRIMARY/chats?limit=50&offset=0',
      '/v2/acc_1/chats/c1/messages?limit=50&offset=0',
      '/v2/acc_1/chats/c1/messages?limit=50&cursor=next',
      '/v2/acc_1/chats/c2/messages?limit=50&offset=0',
    ])
  })

  test('connections, and the counts of a post', async () => {
    const { driver } = await unipile([
      {
        body: { data: [{ id: 'r', user: { id: 'ACo1' }, created_at: NOW.toISOString() }], next_cursor: 'n' },
      },
      {
        body: {
          id: 'p1',
          reactions_counter: [
            { value: 'linkedin_like', count: 3 },
            { value: 'linkedin_love', count: 2 },
          ],
          comments_counter: 1,
          reposts_counter: null,
          analytics: { impressions_counter: 90 },
        },
      },
    ])
    expect(await driver.connections(ACCOUNT, null)).toEqual({
      items: [{ provider_id: 'ACo1', at: NOW }],
      next_cursor: 'n',
    })
    const counts = { impressions: 90, reactions: 5, comments: 1, reposts: null }
    expect(await driver.postMetrics(ACCOUNT, 'p1')).toEqual(counts)
  })

  test.each<[Replies[number], string]>([
    [{ status: 404, body: problem('provider/resource_not_found') }, 'not_found'],
    [{ status: 401, body: problem('provider/invalid_authorization') }, 'account_gone'],
    [{ status: 429, body: problem('api/too_many_requests') }, 'rate_limited'],
    [{ status: 500, body: problem('api/internal_error') }, 'unavailable'],
    [{ body: { items: [] } }, 'unavailable'],
  ])('%j is a reading that failed as %s', async (reply, reason) => {
    const { driver } = await unipile([reply])
    const failure = await driver.recentPosts(ACCOUNT).catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(SocialReadError)
    expect(failure).toMatchObject({ reason })
  })
})

const LINK = {
  network: 'linkedin',
  state: 'told to the provider alone',
  shown_state: 'shown to the browser',
  redirect_url: 'https://app.example/back?ticket=1',
  notify_url: 'https://app.example/api/social/unipile',
  expires_at: NOW,
  reconnect: null,
} as const

test('a link to sign in carries the state that a browser may see, and no other', async () => {
  const { driver, heard } = await unipile([
    { body: { object: 'AuthLink', link: 'https://auth.unipile.com/x' } },
  ])
  expect(await driver.authLink(LINK)).toEqual({ url: 'https://auth.unipile.com/x' })
  expect(await driver.authLink({ ...LINK, reconnect: 'acc_1' })).toBeDefined()
  expect(heard.map(({ method, url }) => `${method} ${url}`)).toEqual(Array(2).fill('POST /v2/auth/link'))
  const [first, again] = heard.map(({ body }) => JSON.parse(body))
  expect(first).toEqual({
    providers: ['linkedin'],
    expires_on: NOW.toISOString(),
    redirect_uri: LINK.redirect_url,
    state: 'shown to the browser',
  })
  expect(again).toMatchObject({ account_id: 'acc_1', state: 'shown to the browser' })
})

describe('an event', () => {
  const event = (type: string, payload: object) =>
    JSON.stringify({ id: 'evt_1', created_at: NOW.toISOString(), account_id: 'acc_1', type, payload })
  const signed = (body: string, secret = SECRET, at = NOW) => {
    const t = Math.floor(at.getTime() / 1_000)
    const v0 = createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')
    return new Headers({ 'unipile-signature': `t=${t},v0=${v0}` })
  }
  const own = { provider_account_id: 'acc_1' }
  const said = {
    id: 'm1',
    chat_id: 'c1',
    sender_id: 'ACo1',
    sender: { display_name: 'Grace' },
    text: 'Hello',
    is_sender: false,
    timestamp: '2026-11-21T08:59:00.000Z',
  }
  const message = {
    message_id: 'c1/m1',
    chat_id: 'c1',
    direction: 'in',
    sender_name: 'Grace',
    text: 'Hello',
    at: new Date('2026-11-21T08:59:00.000Z'),
  }

  test.each<[string, object, object[]]>([
    ['account.status.disconnected', {}, [{ kind: 'account_status', ...own, status: 'disconnected' }]],
    [
      'account.status.errored',
      { reason: 'provider' },
      [{ kind: 'account_status', ...own, status: 'disconnected', reason: 'errored: provider' }],
    ],
    ['account.remove', {}, [{ kind: 'account_status', ...own, status: 'disconnected' }]],
    ['account.status.running', {}, [{ kind: 'account_status', ...own, status: 'connected', reason: null }]],
    ['account.add', { state: 'ours' }, [{ kind: 'account_connected', ...own, state: 'ours' }]],
    ['account.reconnect', { state: 'ours' }, [{ kind: 'account_connected', ...own, state: 'ours' }]],
    ['account.add', {}, []],
    [
      'relation.new',
      { user: { id: 'ACo1' } },
      [{ kind: 'connection_accepted', ...own, provider_id: 'ACo1' }],
    ],
    ['relation.request.accept', { user_id: 'ACo1' }, [{ kind: 'connection_accepted', provider_id: 'ACo1' }]],
    ['message.new', said, [{ kind: 'message', ...own, message: { ...message, provider_id: null } }]],
    ['message.new', { message: said }, [{ kind: 'message', message: { ...message, provider_id: null } }]],
    [
      'message.new',
      { ...said, is_group: false },
      [{ kind: 'message', message: { ...message, provider_id: 'ACo1' } }],
    ],
    ['message.new', { ...said, is_event: true }, []],
    ['message.new', {}, []],
    ['calendar.event.new', {}, []],
  ])('%s of %j says %j', async (type, payload, expected) => {
    const { driver } = await unipile([{}])
    const body = event(type, payload)
    const events = driver.events(signed(body), body)
    expect(events).toHaveLength(expected.length)
    expect(events).toMatchObject(expected)
  })

  test('is believed by its signature alone', async () => {
    const { driver } = await unipile([{}])
    const body = event('account.status.running', {})
    const old = new Date(NOW.getTime() - 301_000)
    for (const headers of [
      new Headers(),
      new Headers({ 'unipile-auth': SECRET }),
      signed(`${body} `),
      signed(body, 'another secret'),
      signed(body, SECRET, old),
    ])
      expect(driver.events(headers, body)).toBeNull()
    expect(driver.events(signed(body), body)).toHaveLength(1)
  })
})

describe('with both versions set up', () => {
  const CLASSIC_SECRET = 'a secret of webhooks'
  async function both() {
    const classic = await speaking([{ status: 201, body: { url: 'https://account.unipile.com/x' } }])
    const current = await speaking([{ body: { link: 'https://auth.unipile.com/x' } }])
    const driver = createUnipile({
      classic: {
        dsn: classic.url,
        api_key: 'first',
        webhook_secret: CLASSIC_SECRET,
        is_link_state: (state) => state === LINK.state,
      },
      current: { url: `${current.url}/v2`, api_key: 'second', webhook_secret: SECRET },
      clock: () => NOW,
    })
    return { driver, classic: classic.heard, current: current.heard }
  }

  test('each account is reached by the version that it is of, and new ones by the second', async () => {
    const { driver, classic, current } = await both()
    await driver.act({ provider_account_id: 'h_EKCy2lRLef5NzHp0iw4A', network: 'linkedin' }, MESSAGE, 'ref')
    await driver.act(ACCOUNT, MESSAGE, 'ref')
    await driver.authLink({ ...LINK, reconnect: 'h_EKCy2lRLef5NzHp0iw4A' })
    await driver.authLink({ ...LINK, reconnect: 'acc_1' })
    await driver.authLink(LINK)
    expect(classic.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['/api/v1/chats/2-chat%3D/messages', 'first'],
      ['/api/v1/hosted/accounts/link', 'first'],
    ])
    expect(current.map(({ url, headers }) => [url, headers['x-api-key']])).toEqual([
      ['/v2/acc_1/chats/2-chat%3D/messages/send', 'second'],
      ['/v2/auth/link', 'second'],
      ['/v2/auth/link', 'second'],
    ])
  })

  test('each event is read by its form and believed by its own secret', async () => {
    const { driver } = await both()
    const first = JSON.stringify({ AccountStatus: { account_id: 'h_1', message: 'CREDENTIALS' } })
    const second = JSON.stringify({ account_id: 'acc_1', type: 'account.status.disconnected', payload: {} })
    expect(driver.events(new Headers({ 'unipile-auth': CLASSIC_SECRET }), first)).toMatchObject([
      { provider_account_id: 'h_1', status: 'disconnected' },
    ])
    expect(driver.events(new Headers({ 'unipile-auth': CLASSIC_SECRET }), second)).toBeNull()
    expect(driver.events(new Headers({ 'unipile-auth': SECRET }), first)).toBeNull()
    // A state that a browser has seen vouches for nothing by itself.
    const linked = (name: string) => JSON.stringify({ status: 'CREATION_SUCCESS', account_id: 'h_2', name })
    expect(driver.events(new Headers(), linked(LINK.shown_state))).toBeNull()
    expect(driver.events(new Headers(), linked(LINK.state))).toHaveLength(1)
  })

  test('an account of a version that is not set up any more is connected anew', async () => {
    const { driver, heard } = await unipile([{ body: { link: 'https://auth.unipile.com/x' } }])
    await driver.authLink({ ...LINK, reconnect: 'h_EKCy2lRLef5NzHp0iw4A' })
    const asked = JSON.parse(heard[0]?.body ?? '')
    expect(asked).toMatchObject({ providers: ['linkedin'] })
    expect(asked).not.toHaveProperty('account_id')
  })
})
