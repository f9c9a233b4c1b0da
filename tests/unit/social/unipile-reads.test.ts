import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { SocialReadError } from '#lib/providers/social/port'
import { ACCOUNT, NOW, problem, type Replies, SECRET, unipile } from '#tests/support/scenes/unipile'

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
