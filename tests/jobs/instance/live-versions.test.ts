import { expect, test } from 'vitest'
import { LIVE_TOPICS } from '#lib/contracts/live'
import { db } from '#lib/db/client'
import { liveVersion } from '#lib/services/instance/live-versions'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

test.each(LIVE_TOPICS)(
  'what is shown of %s has a version, for somebody who has nothing too',
  async (topic) => {
    const { workspace_id } = await aUser()
    expect(await liveVersion(workspace_id, topic, 0)).toMatch(/^[0-9a-f]{32}$/)
  },
)

test('the version changes with any change of the owner’s, and with nobody else’s', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const { campaign_id } = await aCampaign(owner)
  const before = await liveVersion(owner.workspace_id, 'campaigns', 0)
  await aCampaign(other)
  expect(await liveVersion(owner.workspace_id, 'campaigns', 2_000)).toBe(before)
  await db.campaign.update({ where: { campaign_id }, data: { sent_count: { increment: 1 } } })
  const after = await liveVersion(owner.workspace_id, 'campaigns', 4_000)
  expect(after).not.toBe(before)
  expect(await liveVersion(owner.workspace_id, 'campaigns', 6_000)).toBe(after)
})

test('tabs that ask within a second share one look', async () => {
  const owner = await aUser()
  const before = await liveVersion(owner.workspace_id, 'campaigns', 0)
  await aCampaign(owner)
  expect(await liveVersion(owner.workspace_id, 'campaigns', 999)).toBe(before)
  expect(await liveVersion(owner.workspace_id, 'campaigns', 1_000)).not.toBe(before)
})
