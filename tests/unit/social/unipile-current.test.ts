import { describe, expect, test } from 'vitest'
import type { SocialAction } from '#lib/providers/social/port'
import {
  ACCOUNT,
  LINK,
  MESSAGE,
  NOW,
  problem,
  profile,
  type Replies,
  scriptedUnipile,
  TELEGRAM,
} from '#tests/support/doubles/scripted-unipile'

const { unipile } = scriptedUnipile()

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
