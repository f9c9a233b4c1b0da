import { expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ForecastCampaign } from '#lib/contracts/campaigns/forecasts'
import { GiveMailbox } from '#lib/contracts/senders/sender-members'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'
import { aMember } from '#tests/support/scenes/team'

/** Three mailboxes, of which one member has two and another one. */
async function aTeam() {
  const owner = await aUser()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  const boxes = [await aMailbox(owner), await aMailbox(owner), await aMailbox(owner)]
  for (const [index, { mailbox_id }] of boxes.entries()) {
    const { user_id } = index < 2 ? ana : ben
    const params = { mailbox_id, user_id }
    expect((await call(GiveMailbox, { as: owner, params })).status).toBe(200)
  }
  const counts = async (campaign_id: string) => {
    const leads = await db.campaignLead.groupBy({
      by: ['mailbox_id'],
      where: { campaign_id, mailbox_id: { not: null } },
      _count: true,
    })
    return boxes.map(({ mailbox_id }) => leads.find((one) => one.mailbox_id === mailbox_id)?._count ?? 0)
  }
  return { owner, counts }
}

test('members get as many new leads as each other, over as many claims as it takes, and the forecast keeps its word', async () => {
  const { owner, counts } = await aTeam()
  const { campaign_id } = await launchedFor(
    owner,
    {
      sender_rotation: 'members',
      min_interval_seconds: 60,
      steps_config: [{ subject: 'A', message_template: 'B' }],
    },
    12,
  )
  const query = { starts_at: MONDAY.toISOString() }
  const promised = await call(ForecastCampaign, { as: owner, params: { campaign_id }, query })
  for (let minute = 0; minute < 60; minute++) await dispatchAt(minutes(minute))
  expect(await counts(campaign_id)).toEqual([3, 3, 6])
  expect(promised.body.total_actions).toBe(12)
})

test('by room alone each mailbox gets as many, and a change on the way counts for leads from then on', async () => {
  const { owner, counts } = await aTeam()
  const { campaign_id } = await launchedFor(
    owner,
    { daily_limit: 6, steps_config: [{ subject: 'A', message_template: 'B' }] },
    18,
  )
  await dispatchAt(MONDAY)
  expect(await counts(campaign_id)).toEqual([2, 2, 2])
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  const edited = await call(UpdateCampaign, {
    as: owner,
    params: { campaign_id },
    body: { sender_rotation: 'members' },
  })
  expect(edited.body).toMatchObject({ sender_rotation: 'members' })
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active', paused_from: null } })
  await dispatchAt(minutes(24 * 60))
  const [one = 0, two = 0, three = 0] = await counts(campaign_id)
  expect([one + two, three]).toEqual([7, 5])
})
