import { expect, test } from 'vitest'
import { ExportCampaignLeads, ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { db } from '#lib/db/client'
import { countWaiting } from '#lib/services/leads/waits-for'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { aCampaign, aDataset, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

const DAY_MS = 86_400_000
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS)
const NAMES = ['away', 'held', 'back', 'later', 'over', 'ended', 'policy', 'both', 'elsewhere', 'free']
const UNTIL = inDays(5)
/** In whole seconds, as files contain it. */
UNTIL.setUTCMilliseconds(0)

/** A campaign of ten people whose next step was due an hour ago; some of them are held. */
async function scene() {
  const owner = await aUser()
  const { workspace_id } = owner
  const people = NAMES.map((name) => ({ email: `${name}@example.com` }))
  const { dataset_id } = await aDataset(owner, people)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  const { campaign_id: spring } = await aCampaign(owner, { dataset_id, name: 'Spring' })
  const leads = new Map<string, string>()
  for (const [lead_index, name] of NAMES.entries()) {
    const lead = await anEnrolledLead(owner, { campaign_id, email: `${name}@example.com`, lead_index })
    leads.set(name, lead.campaign_lead_id)
  }
  const change = (name: string, data: object) =>
    db.campaignLead.update({ where: { campaign_lead_id: leads.get(name) ?? '' }, data })
  await db.campaignLead.updateMany({ where: { campaign_id }, data: { next_action_at: inDays(-1 / 24) } })
  const absent = (name: string, until: Date, said: string | null, of = workspace_id) =>
    db.absence.create({
      data: { workspace_id: of, email: `${name}@example.com`, until, said, noted_at: inDays(0) },
    })
  await absent('away', UNTIL, 'I am away.')
  await absent('held', UNTIL, null)
  await absent('back', inDays(-1), 'I was away.')
  // Their step is due after they are back: they are not held.
  await absent('later', UNTIL, 'I am away.')
  await change('later', { next_action_at: inDays(9) })
  await absent('ended', UNTIL, 'I am away.')
  await change('ended', {
    status: 'replied',
    next_step: null,
    next_action_at: null,
    last_event_at: inDays(0),
  })
  await absent('elsewhere', UNTIL, null, (await aUser()).workspace_id)
  await absent('both', UNTIL, 'I am away.')
  const busy = async (name: string, asked_again_at: Date) => {
    const { campaign_lead_id } = await change(name, {
      reason: 'person_busy',
      next_action_at: asked_again_at,
      put_off_until: asked_again_at,
    })
    const detail = { until: UNTIL.toISOString(), campaign_id: spring }
    await db.campaignEvent.create({
      data: { campaign_id, workspace_id, campaign_lead_id, kind: 'put_off', at: inDays(0), detail },
    })
  }
  await busy('both', UNTIL)
  await busy('policy', inDays(7))
  // The absence ends before the next check of the hold, so it is not the reason of the wait.
  await absent('policy', inDays(1), 'I am away.')
  return { owner, campaign_id, spring }
}

const inPerson = { campaign_id: null, campaign_name: null, colleague: null, not_before: UNTIL.toISOString() }

test('the list says why, for whom and until when each lead waits that does', async () => {
  const { owner, campaign_id, spring } = await scene()
  const { body } = await call(ListCampaignLeads, { as: owner, params: { campaign_id } })
  const waits = new Map(body.items.map((lead) => [lead.email?.split('@')[0], lead.waits_for]))
  const policy = { ...inPerson, why: 'person_busy', campaign_id: spring, campaign_name: 'Spring' }
  expect(waits.get('away')).toEqual({ ...inPerson, why: 'away' })
  expect(waits.get('held')).toEqual({ ...inPerson, why: 'held' })
  expect(waits.get('policy')).toEqual(policy)
  expect(waits.get('both')?.not_before).toBe(UNTIL.toISOString())
  for (const name of ['back', 'later', 'over', 'ended', 'elsewhere', 'free'])
    expect(waits.get(name)).toBeNull()
})

test('a filter leaves those who wait, another those who do not, in any order and for any search', async () => {
  const { owner, campaign_id } = await scene()
  const names = async (query: Record<string, string>) => {
    const { body } = await call(ListCampaignLeads, { as: owner, params: { campaign_id }, query })
    expect(body.total).toBe(body.items.length)
    return body.items.map((lead) => lead.email?.split('@')[0])
  }
  const waiting = ['away', 'held', 'policy', 'both']
  expect(await names({ waiting: 'true' })).toEqual(waiting)
  expect(await names({ waiting: 'false' })).toEqual(NAMES.filter((name) => !waiting.includes(name)))
  expect(await names({ waiting: 'true', sort: '-email' })).toEqual(waiting.toSorted().toReversed())
  expect(await names({ waiting: 'true', search: 'held' })).toEqual(['held'])
  expect(await names({ waiting: 'true', status: 'replied' })).toEqual([])
  expect(await names({ waiting: '' })).toHaveLength(NAMES.length)
  expect(await countWaiting(owner.workspace_id, campaign_id, new Date())).toBe(waiting.length)
})

test('the export says the same, and takes the same filter', async () => {
  const { owner, campaign_id } = await scene()
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const lines = async (query: string) => {
    const path = ExportCampaignLeads.path.replace('{campaign_id}', campaign_id) + query
    const answer = await knock('GET', path, { headers: { authorization } })
    const [header = '', ...rows] = (await answer.text()).trimEnd().split('\r\n')
    const from = header.split(',').indexOf('waits_why')
    return rows.map((row) => row.split(',')).map((cells) => [cells[1], ...cells.slice(from, from + 3)])
  }
  const until = UNTIL.toISOString().replace('.000Z', 'Z')
  const all = await lines('')
  expect(all).toContainEqual(['away@example.com', 'away', '', until])
  expect(all).toContainEqual(['policy@example.com', 'person_busy', 'Spring', until])
  expect(all).toContainEqual(['free@example.com', '', '', ''])
  expect(await lines('?waiting=true')).toEqual(all.filter(([, why]) => why))
  expect(await lines('?waiting=false')).toEqual(all.filter(([, why]) => !why))
})
