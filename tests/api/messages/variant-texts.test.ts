import { afterEach, expect, test } from 'vitest'
import { CreateCampaign, ReadCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { PreviewStep } from '#lib/contracts/campaigns/step-previews'
import { db } from '#lib/db/client'
import { chooseVariant } from '#lib/domain/sending/variants'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, anAccount, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, SECOND } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const VARIANTS = [
  { label: 'A', weight: 50, subject: 'First, {{ first_name }}', message_template: 'Text of A' },
  { label: 'B', weight: 50, subject: 'Second', message_template: 'Text of B, {{ first_name }}' },
]

test('each variant is sent with the text of its own, as its preview shows it, in the shares of the weights', async () => {
  const { owner, campaign_id } = await launched({ steps_config: [{ variants: VARIANTS }, SECOND] }, 30)
  const { outbox } = await dispatchAt(MONDAY)
  expect(outbox).toHaveLength(30)
  for (const lead_index of outbox.keys()) {
    const chosen = chooseVariant(VARIANTS, { campaign_id, lead_index, step: 1 })
    const expected =
      chosen === 0 ? [`First, Lead${lead_index}`, 'Text of A'] : ['Second', `Text of B, Lead${lead_index}`]
    const { body } = await call(PreviewStep, {
      as: owner,
      params: { campaign_id },
      body: { step: 1, lead_index, variant: chosen === 0 ? 'A' : 'B' },
    })
    expect([body.subject, body.text?.split('\n')[0]]).toEqual(expected)
    const sent = outbox.find((mail) => mail.to.address === body.to)
    expect([sent?.subject, sent?.text.split('\n')[0]]).toEqual(expected)
  }
  expect(new Set(outbox.map(({ subject }) => subject === 'Second')).size).toBe(2)
})

test('what a variant leaves open is the step’s: two subjects over one text, or one text of two', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner, {
    steps_config: [
      {
        subject: 'Shared subject',
        message_template: 'Shared text',
        variants: [
          { subject: 'Own subject' },
          { message_template: 'Own text' },
          {
            template_id: (await aTemplate(owner, { subject: 'Of the template' })).template_id,
            subject: 'Unused',
          },
        ],
      },
    ],
  })
  const shown = async (variant: string) => {
    const { body } = await call(PreviewStep, {
      as: owner,
      params: campaign,
      body: { step: 1, lead_index: 0, variant },
    })
    return [body.subject, body.text?.split('\n')[0]]
  }
  expect(await shown('A')).toEqual(['Own subject', 'Shared text'])
  expect(await shown('B')).toEqual(['Shared subject', 'Own text'])
  expect((await shown('C'))[0]).toBe('Of the template')
})

test('texts of variants are kept lean, absent ones are null, and a note is held to its length', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 1)
  const create = (steps_config: object[]) =>
    call(CreateCampaign, { as: owner, body: { name: 'Variants', dataset_id, type: 'mixed', steps_config } })
  const { body } = await create([
    { variants: [{ message_template: '<p onclick="x()">Hello</p><script>x()</script>' }, {}] },
  ])
  expect(body.steps_config[0]?.variants).toMatchObject([
    { label: 'A', subject: null, message_template: '<p>Hello</p>' },
    { label: 'B', subject: null, message_template: null },
  ])
  const note = { channel: 'social', action_type: 'connection_request' }
  const refused = await create([{ ...note, variants: [{}, { message_template: 'x'.repeat(301) }] }])
  expect(refused.status).toBe(422)
  expect(refused.error.details[0].loc).toEqual([
    'body',
    'steps_config',
    '0',
    'variants',
    '1',
    'message_template',
  ])
  const blank = await create([{ variants: [{ message_template: '  ' }] }])
  expect(blank.status).toBe(422)
})

test('launch checks read each variant: one without words blocks, a note may stay empty, a long text is named', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  await anAccount(owner)
  const blocksOf = async (steps_config: object[]) => {
    const campaign = await aCampaign(owner, { type: 'mixed', steps_config })
    const { body } = await call(ReadLaunchChecks, { as: owner, params: campaign })
    return body.blocks.map(({ code, message }) => `${code}: ${message}`)
  }
  expect(
    await blocksOf([
      {
        variants: [
          VARIANTS[0],
          { subject: '', message_template: '' },
          { subject: 'S', message_template: '{{ pet }}' },
        ],
      },
    ]),
  ).toEqual([
    'text_missing: There is no text for step 1, variant B.',
    'merge_field_unknown: {{ pet }} in step 1, variant C is not a column in the dataset and has no fallback.',
  ])
  const note = { channel: 'social', action_type: 'connection_request' }
  expect(
    await blocksOf([{ ...note, variants: [{ message_template: '' }, { message_template: 'Hello' }] }]),
  ).toEqual([])
  const [tooLong] = await blocksOf([
    {
      ...note,
      action_type: 'comment_post',
      variants: [{ message_template: 'Hello' }, { message_template: 'x'.repeat(2_000) }],
    },
  ])
  expect(tooLong).toMatch(/^text_too_long: Step 1, variant B: /)
})

test('a step that was kept before variants had texts is no other for that, and an edit names the variant', async () => {
  const { owner, campaign_id } = await launched({
    steps_config: [{ variants: [{}, {}], subject: 'S', message_template: 'Text' }, SECOND],
  })
  await dispatchAt(MONDAY)
  await pauseCampaign(owner.workspace_id, campaign_id, MONDAY)
  const old = { label: 'A', weight: 1, type: 'TEMPLATE', template_id: null, sender_profile_id: null }
  const { steps_config } = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  if (!Array.isArray(steps_config)) throw new Error('no steps')
  const kept = steps_config.map((step, index) =>
    index === 0 ? { ...Object(step), variants: [old, { ...old, label: 'B' }] } : step,
  )
  await db.campaign.update({ where: { campaign_id }, data: { steps_config: kept } })

  const { body: campaign } = await call(ReadCampaign, { as: owner, params: { campaign_id } })
  expect(campaign.steps_config[0]?.variants[0]).toMatchObject({ subject: null, message_template: null })
  const [first, second] = campaign.steps_config
  const edit = (steps: unknown[], query = {}) =>
    call(UpdateCampaign, { as: owner, params: { campaign_id }, query, body: { steps_config: steps } })
  expect((await edit([first, { ...second, delay_days: 9 }])).status).toBe(200)

  const { body } = await edit(
    [
      first,
      {
        ...second,
        message_template: null,
        variants: [{ message_template: 'New A' }, { message_template: 'New B' }],
      },
    ],
    { dry_run: true },
  )
  expect(JSON.stringify(body)).toContain('Step 2: Text of B')
  expect(JSON.stringify(body)).toContain('New B')
})
