import { afterEach, expect, test } from 'vitest'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { db } from '#lib/db/client'
import { shiftVariantWeights } from '#lib/services/campaigns/variant-weights'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { dispatchDue } from '#lib/services/sending/run'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'

const MONDAY = new Date('2026-03-02T10:00:00.000Z')
const hours = (count: number) => new Date(MONDAY.getTime() + count * 3_600_000)

afterEach(async () => {
  await db.campaign.deleteMany()
})

/** A campaign of 300 leads, 200 of which were written to on the first day. */
async function running(fields: Record<string, unknown> = {}) {
  const owner = await aUser()
  const [a, b] = [await aTemplate(owner, { body: 'I am A' }), await aTemplate(owner, { body: 'I am B' })]
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 300)
  const variants = [
    { label: 'A', weight: 60, template_id: a.template_id },
    { label: 'B', weight: 40, template_id: b.template_id },
  ]
  const { campaign_id } = await aCampaign(owner, {
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    min_interval_seconds: 0,
    daily_limit: 200,
    dataset_id,
    auto_variant_weights: true,
    steps_config: [{ variants }],
    ...fields,
  })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  return campaign_id
}

const send = (at: Date, mail = memoryMail()) => dispatchDue({ mail: mail.provider, clock: () => at })

async function weightsOf(campaign_id: string) {
  const { steps_config } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  return (steps_config as StepConfig[])[0]?.variants.map((variant) => variant.weight)
}

/** Every fourth lead with A and half of those with B reply. */
async function answers(campaign_id: string) {
  const actions = await db.action.findMany({
    where: { campaign_id, status: 'sent' },
    include: { lead: true },
  })
  const ids = ['A', 'B'].flatMap((label) =>
    actions
      .filter((action) => action.variant_label === label)
      .filter((_, index) => index % (label === 'A' ? 4 : 2) === 0)
      .map((action) => action.campaign_lead_id),
  )
  await db.campaignLead.updateMany({
    where: { campaign_lead_id: { in: ids } },
    data: { status: 'replied', next_step: null, next_action_at: null, last_event_at: hours(5) },
  })
}

test('weights move to what is answered more, at most daily, and the log keeps what they were', async () => {
  const campaign_id = await running()
  expect(await shiftVariantWeights(MONDAY)).toEqual({ looked: 1, shifted: 0 })
  expect(await weightsOf(campaign_id)).toEqual([60, 40])
  await send(MONDAY)
  await answers(campaign_id)
  expect(await shiftVariantWeights(hours(23))).toEqual({ looked: 0, shifted: 0 })
  expect(await shiftVariantWeights(hours(24))).toEqual({ looked: 1, shifted: 1 })
  const weights = (await weightsOf(campaign_id)) ?? []
  expect(weights.reduce((sum, weight) => sum + weight, 0)).toBe(100)
  expect(weights[1]).toBeGreaterThan(90)
  const event = await db.campaignEvent.findFirstOrThrow({ where: { campaign_id, kind: 'weights_shifted' } })
  expect(event).toMatchObject({
    step: 1,
    detail: { before: { A: 60, B: 40 }, after: { A: weights[0], B: weights[1] } },
  })
  expect(await shiftVariantWeights(hours(25))).toEqual({ looked: 0, shifted: 0 })
})

test('a campaign that did not ask for it keeps its weights', async () => {
  const campaign_id = await running({ auto_variant_weights: false })
  await send(MONDAY)
  await answers(campaign_id)
  expect(await shiftVariantWeights(hours(24))).toEqual({ looked: 0, shifted: 0 })
  expect(await weightsOf(campaign_id)).toEqual([60, 40])
})

test('an action that is tried again keeps its variant and its words whatever the weights became', async () => {
  const campaign_id = await running({ daily_limit: 1_000 })
  const later = {
    outcome: 'refused_for_now',
    stage: 'rcpt',
    code: 451,
    enhanced: null,
    response: '451 later',
    blames: 'recipient',
  } as const
  const first = memoryMail((mail) => (mail.text.includes('I am A') ? later : ACCEPTED))
  await send(MONDAY, first)
  const ofA = first.outbox.filter((mail) => mail.text.includes('I am A')).map((mail) => mail.to.address)
  expect(ofA.length).toBeGreaterThan(100)
  const { steps_config } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  const shifted = (steps_config as StepConfig[]).map((step) => ({
    ...step,
    variants: step.variants.map((variant) => ({ ...variant, weight: variant.label === 'A' ? 0 : 100 })),
  }))
  await db.campaign.update({ where: { campaign_id }, data: { steps_config: shifted } })
  const again = memoryMail()
  await send(hours(1), again)
  expect(again.outbox.map((mail) => mail.to.address).sort()).toEqual(ofA.sort())
  expect(again.outbox.filter((mail) => !mail.text.includes('I am A'))).toEqual([])
  const labels = await db.action.groupBy({
    by: ['variant_label'],
    where: { campaign_id, attempts: 2 },
    _count: true,
  })
  expect(labels).toEqual([{ variant_label: 'A', _count: ofA.length }])
})
