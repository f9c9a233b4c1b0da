import { afterEach, describe, expect, test } from 'vitest'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { EraseAccount, PrepareErasure } from '#lib/contracts/workspaces/erasure'
import { db, pool } from '#lib/db/client'
import { recordHit } from '#lib/services/campaigns/tracking'
import { readUnsubscribe, unsubscribe } from '#lib/services/leads/unsubscribes'
import { createWebhook } from '#lib/services/telling/webhooks'
import { createApiKey } from '#lib/services/workspaces/api-keys'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes, SECOND, WATCHED } from '#tests/support/scenes/launched'

const PASSWORD = 'correct horse battery'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const exists = async ({ user_id }: { user_id: string }) => (await db.user.count({ where: { user_id } })) === 1
const prepared = async (owner: { user_id: string }) => (await call(PrepareErasure, { as: owner })).body
const withPassword = async () => {
  const user = await createUserWithPassword(`erase-${crypto.randomUUID()}@example.com`, 'E', PASSWORD)
  if (!user) throw new Error('the address was taken')
  return user
}

/** The tables in which any of these texts still occurs, in any column. */
async function traces(texts: string[]): Promise<string[]> {
  const { rows: tables } = await pool().query<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE'`,
  )
  const found: string[] = []
  for (const { name } of tables)
    for (const text of texts) {
      const { rows } = await pool().query(`SELECT 1 FROM "${name}" t WHERE t::text ILIKE $1 LIMIT 1`, [
        `%${text}%`,
      ])
      if (rows.length > 0) found.push(`${name}: ${text}`)
    }
  return found
}

describe('erasing an account', () => {
  test('leaves nothing of it in any table, and everything of others', async () => {
    const { owner, campaign_id, mailbox, dataset_id } = await launched({ steps_config: [WATCHED, SECOND] }, 3)
    await createWebhook(
      owner.workspace_id,
      {
        url: 'https://hooks.example.com/erase',
        description: null,
        event_types: ['campaign.paused'],
        enabled: true,
      } as never,
      MONDAY,
    )
    const { outbox } = await dispatchAt(MONDAY)
    const [mail] = outbox
    if (!mail) throw new Error('nothing left')
    const action_id = mail.message_id.slice(1, 37)
    const visit = { method: 'GET', user_agent: 'Firefox/140', purpose: null }
    await recordHit({ action_id, kind: 'open', link: 0, url: null }, visit, minutes(60))
    await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, MONDAY)
    await openSession(owner.user_id, { user_agent: null, place: null }, new Date(), 3_600)
    await aTemplate(owner)
    const other = await aUser()
    const kept = await aCampaign(other, { dataset_id: (await aDataset(other, 2)).dataset_id })

    const asked = await prepared(owner)
    expect(asked.will_erase).toMatchObject({ campaigns: 1, running_campaigns: 1, leads: 3, mailboxes: 1 })
    expect(await exists(owner)).toBe(true)
    const { status, body } = await call(EraseAccount, {
      as: owner,
      body: { email: ` ${asked.email.toUpperCase()} `, token: asked.token },
    })
    expect(status).toBe(200)
    expect(body.rows).toBeGreaterThan(3)
    const leads = [0, 1, 2].map((index) => outbox[index]?.to.address ?? '')
    expect(leads.every((address) => address.includes('@'))).toBe(true)
    const ids = [owner.user_id, campaign_id, mailbox.mailbox_id, dataset_id, action_id]
    expect(await traces([...ids, owner.email, mailbox.address, ...leads])).toEqual([])
    expect(await db.campaign.count({ where: { campaign_id: kept.campaign_id } })).toBe(1)
    expect(await db.datasetRow.count({ where: { workspace_id: other.workspace_id } })).toBe(2)
  })

  test('stops what runs: nothing leaves afterwards, and what was on its way comes back to nobody', async () => {
    const { owner, campaign_id } = await launched({}, 2)
    const { token, email } = await prepared(owner)
    await call(EraseAccount, { as: owner, body: { email, token } })
    expect((await dispatchAt(MONDAY)).outbox).toEqual([])
    expect(await db.campaign.count({ where: { campaign_id } })).toBe(0)
  })

  test('ends every credential at once', async () => {
    const owner = await aUser()
    const { key } = await createApiKey(owner, { name: 'K', scopes: ['read'], expires_at: null }, new Date())
    const { token, email } = await prepared(owner)
    await call(EraseAccount, { as: owner, body: { email, token } })
    expect((await call(ReadCurrentUser, { as: owner })).status).toBe(401)
    expect((await call(ReadCurrentUser, { token: key })).status).toBe(401)
  })

  test('leaves unsubscribe links that answer politely, by page and by one click', async () => {
    const { owner } = await launched({}, 1)
    const { outbox } = await dispatchAt(MONDAY)
    const link = /unsubscribe\/(u1\.[\w-]+)/.exec(outbox[0]?.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
    const { token, email } = await prepared(owner)
    await call(EraseAccount, { as: owner, body: { email, token } })
    expect(await readUnsubscribe(link)).toBe('sender_gone')
    expect(await unsubscribe(link, { via: 'one_click', comment: null }, new Date())).toBe(true)
    expect(await readUnsubscribe(`${link}x`)).toBeNull()
  })
})

describe('is done with the password', () => {
  test('that is right', async () => {
    const owner = await withPassword()
    expect((await call(EraseAccount, { as: owner, body: { password: PASSWORD } })).status).toBe(200)
    expect(await exists(owner)).toBe(false)
  })

  test('and is refused with a wrong one, more and more rarely', async () => {
    const owner = await withPassword()
    const statuses: number[] = []
    for (let round = 0; round < 7; round++)
      statuses.push((await call(EraseAccount, { as: owner, body: { password: `wrong ${round}` } })).status)
    expect(statuses).toContain(409)
    expect(statuses.at(-1)).toBe(429)
    expect(await exists(owner)).toBe(true)
  })
})

describe('is refused, and nothing is erased,', () => {
  test.each([
    [
      'with another address',
      (asked: { token: string; email: string }) => ({ ...asked, email: 'x@example.com' }),
    ],
    [
      'with a token that was changed',
      (asked: { token: string; email: string }) => ({ ...asked, token: `${asked.token}A` }),
    ],
    ['with a made-up token', (asked: { token: string; email: string }) => ({ ...asked, token: 'e1.AAAA' })],
    ['with a password where there is none', () => ({ password: 'anything' })],
  ])('%s', async (_, change) => {
    const owner = await aUser()
    await aMailbox(owner)
    const { token, email } = await prepared(owner)
    const { status, error } = await call(EraseAccount, { as: owner, body: change({ token, email }) })
    expect([status, error.detail]).toEqual([409, 'erasure_unconfirmed'])
    expect(await exists(owner)).toBe(true)
  })

  test('with another’s token, or with one that has run out', async () => {
    const [owner, other] = [await aUser(), await aUser()]
    const theirs = await prepared(other)
    const body = { email: owner.email, token: theirs.token }
    expect((await call(EraseAccount, { as: owner, body })).status).toBe(409)
    const { eraseAccount, prepareErasure } = await import('#lib/services/workspaces/erasure')
    const { token, email, expires_at } = await prepareErasure(owner.user_id, new Date())
    await expect(eraseAccount(owner.user_id, { email, token }, expires_at)).rejects.toMatchObject({
      code: 'erasure_unconfirmed',
    })
    expect(await exists(owner)).toBe(true)
  })

  test('while a subscription goes on being paid; once it is cancelled, nothing stands in the way', async () => {
    const owner = await aUser()
    const pays = (subscription_cancels: boolean) =>
      db.workspace.update({
        where: { workspace_id: owner.workspace_id },
        data: { billing_customer_id: owner.user_id, subscription_status: 'active', subscription_cancels },
      })
    const { token, email } = await prepared(owner)
    await pays(false)
    const refused = await call(EraseAccount, { as: owner, body: { email, token } })
    expect([refused.status, refused.error.detail]).toEqual([409, 'subscription_runs'])
    expect(await exists(owner)).toBe(true)
    await pays(true)
    expect((await call(EraseAccount, { as: owner, body: { email, token } })).status).toBe(200)
  })

  test('with an API key, whatever its scopes, or without any confirmation', async () => {
    const owner = await aUser()
    const { key } = await createApiKey(owner, { name: 'K', scopes: ['admin'], expires_at: null }, new Date())
    expect((await call(PrepareErasure, { token: key })).status).toBe(403)
    expect((await call(EraseAccount, { token: key, body: { password: 'x' } })).status).toBe(403)
    expect((await call(EraseAccount, { as: owner, body: {} })).status).toBe(422)
    expect(await exists(owner)).toBe(true)
  })
})
