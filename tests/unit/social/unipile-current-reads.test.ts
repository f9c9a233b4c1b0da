import { describe, expect, test } from 'vitest'
import { SocialReadError } from '#lib/providers/social/port'
import {
  ACCOUNT,
  NOW,
  problem,
  profile,
  type Replies,
  scriptedUnipile,
} from '#tests/support/doubles/scripted-unipile'

const { unipile } = scriptedUnipile()

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
