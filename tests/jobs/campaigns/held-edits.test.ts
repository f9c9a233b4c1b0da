import { afterEach, expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { db } from '#lib/db/client'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { undoCampaignEdit } from '#lib/services/changes/undo'
import { applyEdit, checkEdit, updateCampaign } from '#lib/services/changes/update'
import { forecastsOfEdit, wholeForecast } from '#lib/services/forecast/forecasts'
import { pauseCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aMailbox } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, leadsOf, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { INVITE, launchedSocial, VISIT } from '#tests/support/scenes/launched-social'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

/** The first step was sent, the second waits for texts that nobody has approved, and the campaign is paused. */
async function heldAtSecond() {
  const made = await launched({
    steps_config: [FIRST, { ...SECOND, ai_personalization_enabled: true }],
    unreviewed_launch_policy: 'hold',
  })
  await dispatchAt(MONDAY)
  await dispatchAt(minutes(DAY))
  expect((await leadsOf(made.campaign_id)).map((lead) => lead.last_event)).toEqual(Array(3).fill('held'))
  await pauseCampaign(made.owner.workspace_id, made.campaign_id, minutes(DAY + 1))
  const { steps_config } = await getCampaign(made.owner.workspace_id, made.campaign_id)
  const edit = (steps: typeof steps_config) =>
    updateCampaign(made.owner.workspace_id, made.campaign_id, { steps_config: steps }, minutes(DAY + 2))
  const resume = () => resumeCampaign(made.owner.workspace_id, made.campaign_id, minutes(DAY + 3))
  return { ...made, steps_config, edit, resume }
}

test('held leads are completed where the step that they wait for is taken away', async () => {
  const { owner, campaign_id, steps_config, edit, resume } = await heldAtSecond()
  const before = await leadsOf(campaign_id)
  const { edit_id } = await edit(steps_config.slice(0, 1))
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
  await undoCampaignEdit(owner.workspace_id, campaign_id, `${edit_id}`, minutes(DAY + 2))
  expect(await leadsOf(campaign_id)).toEqual(before)
  await edit(steps_config.slice(0, 1))
  await resume()
  await dispatchAt(minutes(DAY + 4))
  expect(await getCampaign(owner.workspace_id, campaign_id)).toMatchObject({ status: 'completed' })
})

test('held leads wait by the new delay of their step, and the forecast of the edit says so', async () => {
  const { owner, campaign_id, steps_config, edit, resume } = await heldAtSecond()
  const steps = steps_config.map((step) =>
    step.step === 2 ? { ...step, delay_days: 4, ai_personalization_enabled: false } : step,
  )
  const { forecast_after } = await forecastsOfEdit(
    owner.workspace_id,
    campaign_id,
    { steps_config: steps },
    1,
    minutes(DAY + 2),
  )
  await edit(steps)
  expect((await leadsOf(campaign_id)).map((lead) => [lead.next_action_at, lead.reason])).toEqual(
    Array(3).fill([minutes(4 * DAY), null]),
  )
  const real = await wholeForecast(owner.workspace_id, campaign_id, minutes(DAY + 2))
  expect([forecast_after.total_actions, forecast_after.first_at]).toEqual([3, minutes(4 * DAY).getTime()])
  expect([real.total_actions, real.first_at]).toEqual([3, minutes(4 * DAY).getTime()])
  await resume()
  expect((await dispatchAt(minutes(DAY + 3))).offered).toBe(0)
  expect((await dispatchAt(minutes(4 * DAY))).offered).toBe(3)
})

test('leads that are held before their first step do what it has become', async () => {
  const { owner, campaign_id } = await launchedSocial({
    steps_config: [{ ...INVITE, ai_personalization_enabled: true }],
    unreviewed_launch_policy: 'hold',
  })
  const social = memorySocial()
  const dispatch = (at: Date) =>
    dispatchDue({ mail: memoryMail().provider, social: social.drivers, clock: () => at })
  await dispatch(MONDAY)
  expect(social.done).toEqual([])
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  const { body } = UpdateCampaign
  const edit = body.parse({ steps_config: [{ ...VISIT, step: 1 }] })
  await updateCampaign(owner.workspace_id, campaign_id, edit, minutes(2))
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(3))
  await dispatch(minutes(3))
  expect(social.done.map(({ action }) => action.action_type)).toEqual(['visit_profile'])
})

test('an edit of a step that a lead has begun since it was checked is refused', async () => {
  const { owner, campaign_id } = await launched()
  await dispatchAt(MONDAY)
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  const { steps_config } = await getCampaign(owner.workspace_id, campaign_id)
  const settings = { steps_config: steps_config.slice(0, 1) }
  const checked = await checkEdit(owner.workspace_id, campaign_id, settings)
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(2))
  expect((await dispatchAt(minutes(DAY))).offered).toBe(3)
  await db.campaign.updateMany({
    where: { campaign_id },
    data: { status: 'paused', paused_from: 'draining' },
  })
  const edit = applyEdit(checked.before, { ...checked, settings, texts: new Map() }, minutes(DAY + 1))
  await expect(edit).rejects.toMatchObject({ code: 'conflict' })
})

test('an undo gives leads another mailbox where theirs is gone, and leaves those whose row is', async () => {
  const { owner, mailbox, campaign_id, dataset_id } = await launched({}, 2)
  const other = await aMailbox(owner)
  await dispatchAt(MONDAY)
  await pauseCampaign(owner.workspace_id, campaign_id, minutes(1))
  const { steps_config } = await getCampaign(owner.workspace_id, campaign_id)
  const { edit_id } = await updateCampaign(
    owner.workspace_id,
    campaign_id,
    { steps_config: steps_config.slice(0, 1), alias_ids: [other.mailbox_id] },
    minutes(2),
  )
  await db.mailbox.deleteMany({ where: { mailbox_id: mailbox.mailbox_id } })
  await db.datasetRow.deleteMany({ where: { dataset_id, lead_index: 1 } })
  await undoCampaignEdit(owner.workspace_id, campaign_id, `${edit_id}`, minutes(3))
  const gone = new Set([mailbox.mailbox_id])
  const leads = await leadsOf(campaign_id)
  expect(leads.map(({ status }) => status)).toEqual(['active', 'completed'])
  expect(leads.filter(({ mailbox_id }) => gone.has(`${mailbox_id}`))).toEqual([])
  await resumeCampaign(owner.workspace_id, campaign_id, minutes(60))
  expect((await dispatchAt(minutes(DAY))).offered).toBe(1)
})
