import { beforeEach, describe, expect, test } from 'vitest'
import { ForecastCampaign } from '#lib/contracts/campaigns/forecasts'
import {
  AddDatasetRows,
  EditDatasetRow,
  RemoveDatasetRow,
  RemoveDatasetRows,
} from '#lib/contracts/datasets/dataset-rows'
import { ExportCampaignLeads, ListCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { ResumeCampaignLeads, StopCampaignLeads } from '#lib/contracts/leads/lead-stops'
import { AddSuppressions } from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

/** Campaigns of earlier tests must send nothing more: a dispatch covers all campaigns. */
beforeEach(async () => {
  await db.campaign.updateMany({ data: { status: 'failed', next_slot_at: null } })
})

/** A campaign launched over three rows. */
async function scene() {
  const { owner, campaign_id, dataset_id } = await launched()
  const at = (lead_index: number) => ({ dataset_id, lead_index: `${lead_index}` })
  const params = { campaign_id }
  return {
    owner,
    params,
    dataset_id,
    edit: (lead_index: number, data: Record<string, string | null>) =>
      call(EditDatasetRow, { as: owner, params: at(lead_index), body: { data } }),
    remove: (lead_index: number) => call(RemoveDatasetRow, { as: owner, params: at(lead_index) }),
    leads: async () => (await call(ListCampaignLeads, { as: owner, params, query: {} })).body.items,
    campaign: () => db.campaign.findUniqueOrThrow({ where: params }),
  }
}

const toAddresses = ({ outbox }: Awaited<ReturnType<typeof dispatchAt>>) =>
  outbox.map(({ to }) => to.address).toSorted()

describe('an edited row', () => {
  test('is what the next mail says, to the new address where none was sent before', async () => {
    const { edit } = await scene()
    const { status } = await edit(0, { first_name: 'Ada', email: 'ada@new.example' })
    expect(status).toBe(200)
    const sent = await dispatchAt(MONDAY)
    expect(sent.outbox).toHaveLength(3)
    expect(sent.outbox.find(({ to }) => to.address === 'ada@new.example')).toMatchObject({
      subject: 'Hello Ada',
    })
  })

  test('leaves leads that were written to at the address that they were written to', async () => {
    const { edit, leads } = await scene()
    const first = toAddresses(await dispatchAt(MONDAY))
    await edit(0, { email: 'ada@new.example', first_name: 'Ada' })
    expect((await leads())[0]?.email).not.toBe('ada@new.example')
    const second = await dispatchAt(minutes(2 * 24 * 60))
    expect(toAddresses(second)).toEqual(first)
    expect(second.outbox.some(({ text }) => text.includes('Ada'))).toBe(true)
  })

  test('is passed over where its new address is suppressed, or is none', async () => {
    const { owner, edit, leads } = await scene()
    await call(AddSuppressions, { as: owner, body: { value: 'no@new.example', reason: 'asked' } })
    await edit(0, { email: 'no@new.example' })
    await edit(1, { email: null })
    expect((await leads()).map(({ status, reason }) => [status, reason])).toEqual([
      ['skipped', 'suppressed'],
      ['skipped', 'no_address'],
      ['pending', null],
    ])
    expect((await dispatchAt(MONDAY)).outbox).toHaveLength(1)
  })

  test('is passed over where the campaign has somebody under its new address already', async () => {
    const { edit, leads } = await scene()
    const [first] = await leads()
    await dispatchAt(MONDAY)
    await edit(0, { email: 'ada@new.example' })
    const before = await db.campaignLead.findFirstOrThrow({ where: { email: first?.email ?? '' } })
    await db.campaignLead.updateMany({
      where: { campaign_id: before.campaign_id, lead_index: 1 },
      data: { status: 'pending', current_step: 0, next_step: 1, next_action_at: MONDAY },
    })
    await edit(1, { email: first?.email ?? null })
    expect((await leads())[1]).toMatchObject({ status: 'skipped', reason: 'duplicate_address' })
  })

  test('409 while a campaign over the dataset is being launched', async () => {
    const { params, edit, remove } = await scene()
    await db.campaign.update({ where: params, data: { status: 'launching' } })
    for (const { status, error } of [await edit(0, { a: 'b' }), await remove(0)])
      expect([status, error.detail]).toEqual([409, 'dataset_busy'])
  })
})

describe('a removed row', () => {
  test('ends the leads that wait, in the list and the export, and the forecast goes without them', async () => {
    const { owner, params, remove, leads, campaign } = await scene()
    expect((await remove(1)).status).toBe(204)
    expect((await leads()).map(({ lead_index, status, reason }) => [lead_index, status, reason])).toEqual([
      [0, 'pending', null],
      [1, 'skipped', 'row_removed'],
      [2, 'pending', null],
    ])
    expect(await campaign()).toMatchObject({ total_leads: 3, processed_leads: 1 })
    const forecast = await call(ForecastCampaign, { as: owner, params, query: {} })
    expect(forecast.body.total_actions).toBe(4)
    expect((await call(ExportCampaignLeads, { as: owner, params, query: {} })).status).toBe(200)
    expect((await dispatchAt(MONDAY)).outbox).toHaveLength(2)
  })

  test('completes a campaign that has nobody left', async () => {
    const { owner, dataset_id, remove, campaign } = await scene()
    await remove(0)
    const body = { lead_indexes: [0, 1, 2] }
    await call(RemoveDatasetRows, { as: owner, params: { dataset_id }, body })
    expect(await campaign()).toMatchObject({ status: 'completed', processed_leads: 3 })
  })

  test('cannot come back by a resume of the lead that was stopped', async () => {
    const { owner, params, remove, leads } = await scene()
    const campaign_lead_ids = (await leads()).slice(0, 1).map((lead) => lead.campaign_lead_id)
    await call(StopCampaignLeads, { as: owner, params, body: { campaign_lead_ids } })
    await remove(0)
    const { body } = await call(ResumeCampaignLeads, { as: owner, params, body: { campaign_lead_ids } })
    expect(body).toMatchObject({ changed: [], unchanged: [{ reason: 'not_stopped' }] })
  })
})

test('rows added to a dataset do not come to campaigns that were launched over it', async () => {
  const { owner, dataset_id, leads } = await scene()
  const body = { rows: [{ email: 'late@example.com' }] }
  await call(AddDatasetRows, { as: owner, params: { dataset_id }, body })
  expect(await leads()).toHaveLength(3)
  expect((await dispatchAt(MONDAY)).outbox).toHaveLength(3)
})
