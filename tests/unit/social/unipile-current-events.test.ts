import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { NOW, SECRET, scriptedUnipile } from '#tests/support/doubles/scripted-unipile'

const { unipile } = scriptedUnipile()

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
