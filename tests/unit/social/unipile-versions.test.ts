import { describe, expect, test } from 'vitest'
import { createUnipile } from '#lib/providers/social/unipile/driver'
import { ACCOUNT, LINK, MESSAGE, NOW, SECRET, scriptedUnipile } from '#tests/support/doubles/scripted-unipile'

const { speaking, unipile } = scriptedUnipile()

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
    // The state that the browser saw proves nothing; only the secret one is accepted.
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
