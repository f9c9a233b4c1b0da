import { afterEach, describe, expect, test } from 'vitest'
import { SendTest } from '#lib/contracts/campaigns/step-previews'
import { db, pool } from '#lib/db/client'
import { suppress } from '#lib/services/leads/endings'
import { readUnsubscribe, resubscribe, unsubscribe } from '#lib/services/leads/unsubscribes'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

type Scene = Awaited<ReturnType<typeof launched>>

/** A parent workspace, and a child of it with a campaign of three leads. */
async function family() {
  const parent = await aUser()
  const child = await launched()
  await join(child, parent)
  return { parent, child, email: await addressIn(child) }
}
const join = ({ owner }: Scene, { workspace_id }: { workspace_id: string }) =>
  db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { parent_workspace_id: workspace_id },
  })
const leadsIn = ({ campaign_id }: { campaign_id: string }) =>
  db.campaignLead.findMany({ where: { campaign_id }, orderBy: { lead_index: 'asc' } })
const addressIn = async (scene: Scene) => (await leadsIn(scene))[0]?.email ?? ''
const entry = ({ workspace_id }: { workspace_id: string }, value: string) =>
  ({ workspace_id, values: [value], reason: 'manual', status: 'unsubscribed' }) as const
const reasonsOf = async ({ workspace_id }: { workspace_id: string }) =>
  (await db.suppression.findMany({ where: { workspace_id } })).map(({ reason }) => reason)
const recipients = async (at: Date) => (await dispatchAt(at)).outbox.map(({ to }) => to.address)

describe('what a parent suppresses', () => {
  test('ends whoever waits for it in a child, at once', async () => {
    const { parent, child, email } = await family()
    expect(await suppress(pool(), entry(parent, email), MONDAY)).toEqual({ added: 1, ended: 1 })
    expect((await leadsIn(child)).map(({ status }) => status)).toEqual(['unsubscribed', 'pending', 'pending'])
    expect(await recipients(MONDAY)).toHaveLength(2)
  })

  test('is found by a claim, and by a launch', async () => {
    const { parent, child, email } = await family()
    const { workspace_id } = parent
    await db.suppression.create({ data: { workspace_id, value: email, reason: 'manual' } })
    const domain = `@${(await leadsIn(child))[1]?.email?.split('@')[1]}`
    expect(await recipients(MONDAY)).not.toContain(email)
    await db.suppression.create({ data: { workspace_id, value: domain, reason: 'manual' } })
    const next = await launchedFor(child.owner)
    expect((await leadsIn(next)).map(({ status }) => status)).toEqual(['skipped', 'skipped', 'skipped'])
    expect((await leadsIn(next))[0]?.reason).toMatch(/^suppressed/)
  })

  test('takes no test mail in a child', async () => {
    const { parent, child, email } = await family()
    await suppress(pool(), entry(parent, email), MONDAY)
    const { campaign_id } = child
    const { status, error } = await call(SendTest, {
      as: child.owner,
      params: { campaign_id },
      body: { step: 1, to: email.toUpperCase() },
    })
    expect([status, error.detail]).toEqual([409, 'address_suppressed'])
  })

  test('holds in no other workspace, and a child’s not in its parent', async () => {
    const { parent, child, email } = await family()
    const stranger = await launched()
    const data = { email }
    const { campaign_id } = stranger
    await db.campaignLead.updateMany({ where: { campaign_id, lead_index: 0 }, data })
    expect(await suppress(pool(), entry(child.owner, email), MONDAY)).toMatchObject({ ended: 1 })
    expect(await suppress(pool(), entry(parent, email), MONDAY)).toMatchObject({ ended: 0 })
    expect((await leadsIn(stranger))[0]?.status).toBe('pending')
  })
})

describe('an unsubscribe from a child', () => {
  /** The child’s first mail, and a sibling workspace that writes to the same person. */
  async function written() {
    const { parent, child, email } = await family()
    const sibling = await launched()
    await join(sibling, parent)
    const { campaign_id } = sibling
    await db.campaignLead.updateMany({ where: { campaign_id, lead_index: 0 }, data: { email } })
    const mail = (await dispatchAt(MONDAY)).outbox.find(({ to }) => to.address === email)
    return { parent, child, sibling, token: tokenIn(mail?.headers['List-Unsubscribe']) }
  }
  const tokenIn = (header = '') => /unsubscribe\/([^>]+)>/.exec(header)?.[1] ?? ''
  const say = (token: string) => unsubscribe(token, { via: 'page', comment: null }, minutes(1))

  test('is on the parent’s list too, ends the person everywhere, and is taken back as it was said', async () => {
    const { parent, child, sibling, token } = await written()
    const mine = [child, sibling].find(({ owner }) => token.includes(owner.workspace_id)) ?? child
    await say(token)
    expect(await reasonsOf(parent)).toEqual(['unsubscribe_shared'])
    for (const scene of [child, sibling])
      expect((await leadsIn(scene)).filter(({ status }) => status === 'unsubscribed')).toHaveLength(1)
    expect((await reasonsOf(child.owner)).length + (await reasonsOf(sibling.owner)).length).toBe(1)
    expect(await readUnsubscribe(token)).toMatchObject({ is_unsubscribed: true, may_resubscribe: true })
    await resubscribe(token, minutes(2))
    expect(await reasonsOf(parent)).toEqual([])
    expect(await reasonsOf(mine.owner)).toEqual([])
  })

  test('stays in it where the parent does not share them', async () => {
    const { parent, child, sibling, token } = await written()
    await db.workspace.update({
      where: { workspace_id: parent.workspace_id },
      data: { share_unsubscribes: false },
    })
    await say(token)
    expect(await reasonsOf(parent)).toEqual([])
    const ended = [...(await leadsIn(child)), ...(await leadsIn(sibling))]
    expect(ended.filter(({ status }) => status === 'unsubscribed')).toHaveLength(1)
  })

  test('is not taken back while the person said the same in a sibling', async () => {
    const { parent, child, sibling, token } = await written()
    await say(token)
    for (const { owner } of [child, sibling])
      await db.suppression.createMany({
        data: [{ workspace_id: owner.workspace_id, value: await addressIn(child), reason: 'unsubscribe' }],
        skipDuplicates: true,
      })
    expect(await readUnsubscribe(token)).toMatchObject({ may_resubscribe: false })
    await resubscribe(token, minutes(2))
    expect(await reasonsOf(parent)).toEqual(['unsubscribe_shared'])
  })
})
