import { describe, expect, test } from 'vitest'
import type { SocialAction } from '#lib/providers/social/port'
import { ACCOUNT, problem, type Replies, unipile } from '#tests/support/scenes/unipile'

const MESSAGE: SocialAction = {
  action_type: 'message',
  provider_id: 'ACo1',
  text: 'Hello',
  chat_id: 'chat 1',
}

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
    // Once: whatever the outcome, a second offer is the caller's decision.
    expect(heard).toHaveLength(1)
  })

  test('to a server that is not there never left', async () => {
    const { driver, close } = await unipile([{}])
    await close()
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
      const { driver, heard, close } = await unipile([reply])
      expect(await driver.act(ACCOUNT, like, 'ref')).toMatchObject(expected)
      expect(heard.map(({ method }) => method)).toEqual(['GET'])
      await close()
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
