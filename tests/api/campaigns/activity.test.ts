import { afterEach, expect, test } from 'vitest'
import { ReadCampaignActivity } from '#lib/contracts/campaigns/activity'
import { PauseCampaign } from '#lib/contracts/campaigns/lifecycle'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

test('what happened is listed newest first, each with whom it concerns, and older pages follow', async () => {
  const { owner, campaign_id } = await launched()
  await dispatchAt(MONDAY)
  await call(PauseCampaign, { as: owner, params: { campaign_id } })
  const { body } = await call(ReadCampaignActivity, { as: owner, params: { campaign_id } })
  expect(body.items[0]).toMatchObject({ kind: 'paused', campaign_lead_id: null, name: null })
  const sends = body.items.filter((event) => event.kind === 'sent')
  const actions = await db.action.findMany({ where: { campaign_id }, include: { lead: true } })
  expect(sends).toHaveLength(actions.length)
  expect(sends[0]).toMatchObject({ step: 1, channel: 'email', action_type: 'email', reason: null })
  const named = new Map(actions.map((action) => [action.campaign_lead_id, action.lead.email]))
  for (const send of sends) expect(named.get(send.campaign_lead_id ?? '')).toBeTruthy()

  const pages = [...body.items.keys()].map(() => ({ limit: '2' }))
  const walked: string[] = []
  let after: string | null | undefined
  for (const page of pages) {
    const query = after ? { ...page, after } : page
    const { body: one } = await call(ReadCampaignActivity, { as: owner, params: { campaign_id }, query })
    walked.push(...one.items.map((event) => event.event_id))
    after = one.next_after
    if (!after) break
  }
  expect(walked).toEqual(body.items.map((event) => event.event_id))
})

test('404 for another workspace, which learns nothing of it', async () => {
  const { campaign_id } = await launched()
  const response = await call(ReadCampaignActivity, { as: await aUser(), params: { campaign_id } })
  expect(response.status).toBe(404)
})
