import { describe, expect, test } from 'vitest'
import { ReadInboxLabels } from '#lib/contracts/inbox/inbox-labels'
import {
  ReadCampaignIntentRules,
  ReadIntentRules,
  ReplaceCampaignIntentRules,
  ReplaceIntentRules,
} from '#lib/contracts/inbox/intent-rules'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

type Rule = { intent: string; does: string; from: string }
const ruleOf = (rules: Rule[], intent: string) => rules.find((one) => one.intent === intent)

describe('rules on replies', () => {
  test('are those of the campaign, else of the workspace, else the usual ones', async () => {
    const owner = await aUser()
    const { campaign_id } = await aCampaign(owner)
    const other = await aCampaign(owner)
    const usual = await call(ReadIntentRules, { as: owner })
    expect(usual.body.rules.map(({ intent, does, from }) => [intent, does, from])).toEqual([
      ['interested', 'end', 'default'],
      ['meeting', 'end', 'default'],
      ['later', 'hold', 'default'],
      ['referral', 'end', 'default'],
      ['wrong_person', 'end', 'default'],
      ['not_interested', 'end', 'default'],
    ])
    const branch = {
      intent: 'interested',
      does: 'branch',
      branch_campaign_id: other.campaign_id,
      label: 'Hot',
    }
    const hold = { intent: 'wrong_person', does: 'hold', hold_days: 14, notify_ids: [owner.user_id] }
    const changed = await call(ReplaceIntentRules, { as: owner, body: { rules: [branch, hold] } })
    expect(changed.body.rules).toMatchObject([
      { ...branch, from: 'workspace' },
      {},
      {},
      {},
      { ...hold, from: 'workspace' },
      {},
    ])
    expect((await call(ReadInboxLabels, { as: owner })).body.labels.map(({ label }) => label)).toContain(
      'Hot',
    )
    const params = { campaign_id }
    const own = [{ intent: 'interested', does: 'end' }]
    const here = await call(ReplaceCampaignIntentRules, { as: owner, params, body: { rules: own } })
    expect(ruleOf(here.body.rules, 'interested')).toMatchObject({ does: 'end', from: 'campaign' })
    expect(ruleOf(here.body.rules, 'wrong_person')).toMatchObject({ does: 'hold', from: 'workspace' })
    await call(ReplaceCampaignIntentRules, { as: owner, params, body: { rules: [] } })
    const back = await call(ReadCampaignIntentRules, { as: owner, params })
    expect(ruleOf(back.body.rules, 'interested')).toMatchObject({ does: 'branch', from: 'workspace' })
  })

  test('once the campaign of a branch is deleted, the reply ends the lead', async () => {
    const owner = await aUser()
    const { campaign_id } = await aCampaign(owner)
    const rules = [{ intent: 'meeting', does: 'branch', branch_campaign_id: campaign_id }]
    await call(ReplaceIntentRules, { as: owner, body: { rules } })
    await db.campaign.delete({ where: { campaign_id } })
    const { body } = await call(ReadIntentRules, { as: owner })
    expect(ruleOf(body.rules, 'meeting')).toMatchObject({ does: 'branch', branch_campaign_id: null })
  })

  test.each([
    ['a wish to hear no more', { intent: 'stop', does: 'hold', hold_days: 3 }],
    ['a bounce', { intent: 'bounce', does: 'end' }],
    ['a hold without days', { intent: 'interested', does: 'hold' }],
    ['a branch to nowhere', { intent: 'interested', does: 'branch' }],
    ['going on at once', { intent: 'interested', does: 'continue' }],
    ['no days at all', { intent: 'interested', does: 'hold', hold_days: 0 }],
  ])('422 for %s', async (_, rule) => {
    const owner = await aUser()
    expect((await call(ReplaceIntentRules, { as: owner, body: { rules: [rule] } })).status).toBe(422)
    expect(await db.intentRule.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
  })

  test('422 for an intent twice, a member who is none, and an assignee who may not answer', async () => {
    const owner = await aUser()
    const viewer = await aMember(owner, 'viewer')
    const stranger = await aUser()
    const status = async (...rules: object[]) =>
      (await call(ReplaceIntentRules, { as: owner, body: { rules } })).status
    const end = { intent: 'meeting', does: 'end' }
    expect(await status(end, end)).toBe(422)
    expect(await status({ ...end, notify_ids: [stranger.user_id] })).toBe(422)
    expect(await status({ ...end, assignee_id: viewer.user_id })).toBe(422)
    expect(await status({ ...end, notify_ids: [viewer.user_id] })).toBe(200)
  })

  test('admins change those of the workspace, and members those of their campaigns, into their campaigns', async () => {
    const owner = await aUser()
    const member = await aMember(owner, 'member')
    const [mine, theirs] = [await aCampaign(member), await aCampaign(owner)]
    const rules = [{ intent: 'meeting', does: 'branch', branch_campaign_id: theirs.campaign_id }]
    expect((await call(ReplaceIntentRules, { as: member, body: { rules } })).status).toBe(403)
    const params = { campaign_id: mine.campaign_id }
    expect((await call(ReplaceCampaignIntentRules, { as: member, params, body: { rules } })).status).toBe(403)
    const others = { campaign_id: theirs.campaign_id }
    const end = { rules: [{ intent: 'meeting', does: 'end' }] }
    expect((await call(ReplaceCampaignIntentRules, { as: member, params: others, body: end })).status).toBe(
      403,
    )
    expect((await call(ReplaceCampaignIntentRules, { as: member, params, body: end })).status).toBe(200)
  })

  test("404 for another workspace's campaign, as the branch too", async () => {
    const [owner, stranger] = [await aUser(), await aUser()]
    const { campaign_id } = await aCampaign(stranger)
    const params = { campaign_id }
    expect((await call(ReadCampaignIntentRules, { as: owner, params })).status).toBe(404)
    const rules = [{ intent: 'meeting', does: 'branch', branch_campaign_id: campaign_id }]
    expect((await call(ReplaceIntentRules, { as: owner, body: { rules } })).status).toBe(404)
  })
})
