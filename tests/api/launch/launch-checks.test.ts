import { expect, test } from 'vitest'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { LaunchCampaign } from '#lib/contracts/campaigns/lifecycle'
import { ImportSpreadsheet } from '#lib/contracts/datasets/uploads'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aDataset, aMailbox, anAccount, aUser } from '#tests/support/scenes/factories'
import { FIRST, SECOND } from '#tests/support/scenes/launched'

const checksOf = async (
  owner: { workspace_id: string; user_id: string },
  campaign: { campaign_id: string },
) => (await call(ReadLaunchChecks, { as: owner, params: campaign })).body
const codes = (checks: { code: string }[]) => checks.map(({ code }) => code)

test('what blocks is exactly what a launch is refused for, and each has the page that fixes it', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner, {
    steps_config: [{ ...FIRST, subject: null, message_template: 'Dear {{ pet }}' }, { channel: 'social' }],
  })
  const { blocks } = await checksOf(owner, campaign)
  expect(codes(blocks)).toEqual(
    expect.arrayContaining(['no_sender', 'merge_field_unknown', 'subject_missing', 'no_account']),
  )
  const refused = await call(LaunchCampaign, { as: owner, params: campaign })
  expect(refused.status).toBe(409)
  expect(refused.error.detail).toBe(blocks.map((block) => block.message).join(' '))
  const base = `/campaigns/${campaign.campaign_id}`
  expect(blocks.map(({ code, step, fix }) => [code, step, fix])).toEqual(
    expect.arrayContaining([
      ['no_sender', null, '/mailboxes'],
      ['merge_field_unknown', 1, `${base}/sequence`],
      ['no_account', 2, '/accounts'],
    ]),
  )
})

test('rows that are still being imported are told from a dataset without rows', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const file = new File(['email\nann@example.com\n'], 'a.csv')
  const { body: dataset } = await call(ImportSpreadsheet, { as: owner, body: { file } })
  const { dataset_id } = dataset
  const steps_config = [{ subject: 'Hi', message_template: 'A word?' }]
  const campaign = await aCampaign(owner, { dataset_id, steps_config })
  const run = () => call(Personalize, { as: owner, body: { dataset_id, prompt: 'Be brief' } })
  expect((await checksOf(owner, campaign)).blocks).toMatchObject([
    { code: 'dataset_busy', message: 'The dataset is still being imported.', fix: `/datasets/${dataset_id}` },
  ])
  const refused = await call(LaunchCampaign, { as: owner, params: campaign })
  expect([refused.status, refused.error.detail]).toEqual([409, 'The dataset is still being imported.'])
  expect((await run()).error.detail).toBe('dataset_busy')
  await db.datasetSession.updateMany({ where: { dataset_id }, data: { status: 'failed' } })
  expect(codes((await checksOf(owner, campaign)).blocks)).toEqual(['dataset_empty'])
  expect((await run()).error.detail).toBe('dataset_empty')
})

test.each([
  ['whatsapp', ['visit_profile', 'connection_request']],
  ['telegram', ['visit_profile', 'connection_request']],
  ['linkedin', []],
])('from an account of %s, steps that its network has not (%j) block the launch', async (provider, never) => {
  const owner = await aUser()
  const { account_id } = await anAccount(owner, { provider, kind: 'premium' })
  const steps = ['visit_profile', 'connection_request', 'message'].map((action_type) => ({
    channel: 'social',
    action_type,
    message_template: action_type === 'message' ? 'Hello' : null,
  }))
  const campaign = await aCampaign(owner, { connected_account_id: account_id, steps_config: steps })
  const { blocks } = await checksOf(owner, campaign)
  expect(blocks.filter(({ code }) => code === 'account_cap_zero').map(({ step }) => step)).toEqual(
    never.map((type) => steps.findIndex(({ action_type }) => action_type === type) + 1),
  )
})

test('rows that will be passed over and leads without a value are counted, with a sample', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  await db.suppression.create({
    data: { workspace_id: owner.workspace_id, value: '@no.example', reason: 'manual' },
  })
  const { dataset_id } = await aDataset(owner, [
    { email: 'a@example.com', first_name: 'Ada', company: 'A' },
    { email: 'a@example.com', first_name: 'Ada', company: 'A' },
    { email: null, first_name: 'Nobody', company: 'N' },
    { email: 'x@no.example', first_name: null, company: 'X' },
    { email: 'b@example.com', first_name: 'Bo', company: '  ' },
    { email: 'c@example.com', first_name: 'Cy', company: null },
  ])
  const campaign = await aCampaign(owner, { dataset_id, steps_config: [FIRST] })
  const { blocks, warns, informs } = await checksOf(owner, campaign)
  expect(blocks).toEqual([])
  const messages = Object.fromEntries(warns.map(({ code, message }) => [code, message]))
  expect(messages).toMatchObject({
    rows_no_address: '1 row without an address will be skipped.',
    rows_duplicate_address: '1 row with an address that came before will be skipped.',
    rows_suppressed_domain: '1 row at a suppressed domain will be skipped.',
    merge_value_missing:
      '2 leads have no value for {{ company }} and would fail because it has no fallback, for example row 5, b@example.com.',
  })
  expect(informs.find(({ code }) => code === 'leads')?.message).toBe('3 leads will be enrolled.')
})

test('what blocks the launch is said once, and not warned of again', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const steps_config = [
    { subject: 'Hello', message_template: 'Hi {{ nickname }} of {{ company }}' },
    { delay_days: 1, condition: 'clicked', message_template: 'Again' },
    { delay_days: 1, message_template: 'Last' },
  ]
  const { dataset_id } = await aDataset(owner, [{ email: 'a@example.com', company: null, first_name: 'Ada' }])
  const { blocks, warns } = await checksOf(owner, await aCampaign(owner, { dataset_id, steps_config }))
  expect(blocks.map(({ code, step }) => [code, step])).toEqual([
    ['condition_never_holds', 2],
    ['merge_field_unknown', 1],
  ])
  expect(codes(warns)).not.toContain('step_never_runs')
  const missing = warns.filter(({ code }) => code === 'merge_value_missing')
  expect(missing.map(({ message }) => message)).toEqual([
    expect.stringContaining('no value for {{ company }}'),
  ])
})

test('it says how many a launch would enrol, and what the forecast plans for them', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, [
    { email: 'a@example.com', first_name: 'Ada', company: 'A' },
    { email: 'a@example.com', first_name: 'Ada', company: 'A' },
    { email: 'b@example.com', first_name: 'Bo', company: 'B' },
  ])
  const { leads, plan } = await checksOf(owner, await aCampaign(owner, { dataset_id, steps_config: [FIRST] }))
  expect(leads).toBe(2)
  expect(plan.total_actions).toBe(2)
  expect(plan.finish_at).not.toBeNull()
})

test('a schedule or senders that cannot keep up are warned of, and what is fixed goes away', async () => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner, { daily_limit: 5 })
  const { dataset_id } = await aDataset(owner, 400)
  const campaign = await aCampaign(owner, {
    dataset_id,
    steps_config: [FIRST, SECOND],
    daily_limit: 10,
    min_interval_seconds: 3_600,
    sending_window_start: '09:00',
    sending_window_end: '10:00',
    send_days: ['mon'],
  })
  const before = await checksOf(owner, campaign)
  expect(codes(before.warns).sort()).toEqual([
    'finishes_after_a_year',
    'mailbox_untested',
    'senders_below_daily_limit',
    'window_too_small',
  ])
  expect(before.warns.find(({ code }) => code === 'mailbox_untested')?.fix).toBe(
    `/mailboxes/${mailbox.mailbox_id}`,
  )
  await db.mailbox.update({
    where: { mailbox_id: mailbox.mailbox_id },
    data: { daily_limit: 500, last_checked_at: new Date() },
  })
  const body = {
    sending_window_end: '18:00',
    min_interval_seconds: 60,
    send_days: [1, 2, 3, 4, 5],
    daily_limit: 100,
  }
  await call(UpdateCampaign, { as: owner, params: campaign, body })
  const after = await checksOf(owner, campaign)
  expect(after.warns).toEqual([])
  expect(codes(after.informs)).toEqual([
    'leads',
    'senders',
    'finish',
    'unsubscribe_footer',
    'unsubscribe_footer',
    'addresses_unverified',
  ])
  expect(after.informs.find(({ code }) => code === 'finish')?.message).toMatch(
    /^800 sends, the last on \w{3} \d+ \w+ \d{4} \(UTC\), limited by the /,
  )
})

test('a text with its own unsubscribe link gets no footer', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const message_template = 'Hi. <a href="{{ unsubscribe_url }}">Stop</a>'
  const campaign = await aCampaign(owner, { steps_config: [{ ...FIRST, message_template }] })
  expect(codes((await checksOf(owner, campaign)).informs)).toEqual([
    'leads',
    'senders',
    'finish',
    'addresses_unverified',
  ])
})

test('404 for somebody else’s campaign', async () => {
  const campaign = await aCampaign(await aUser())
  expect((await call(ReadLaunchChecks, { as: await aUser(), params: campaign })).status).toBe(404)
})

test('AI steps without approved texts are told of, with what their policy makes of it and where to review', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, 2)
  const campaign = await aCampaign(owner, {
    dataset_id,
    steps_config: [{ ...FIRST, ai_personalization_enabled: true }, SECOND],
    unreviewed_launch_policy: 'hold',
  })
  const { campaign_id } = campaign
  const unreviewed = async () =>
    (await checksOf(owner, campaign)).warns.filter(({ code }) => code === 'ai_unreviewed')
  expect(await unreviewed()).toEqual([
    {
      code: 'ai_unreviewed',
      message:
        'Step 1 uses AI, and no lead has an approved text. All wait until theirs is approved. A scheduled launch pauses before it starts.',
      step: 1,
      fix: `/personalize/playground?campaign_id=${campaign_id}&step=1`,
    },
  ])
  const common = { workspace_id: owner.workspace_id, campaign_id, step: 1 }
  const { run_id } = await db.personalizationRun.create({
    data: { ...common, dataset_id, prompt: '', model: 'test', total: 2 },
  })
  const approve = (lead_index: number) =>
    db.generation.create({
      data: {
        ...common,
        run_id,
        lead_index,
        lead_snapshot: {},
        body: 'Hi',
        seal: 'x',
        approved_at: new Date(),
      },
    })
  await approve(0)
  expect(await unreviewed()).toMatchObject([
    {
      message: expect.stringContaining('1 of 2 leads has an approved text. The others wait'),
      fix: `/personalize/${run_id}`,
    },
  ])
  await approve(1)
  expect(await unreviewed()).toEqual([])
})

test('what filters hold against a text is said by step and variant, with the words, and blocks nothing', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const variants = [
    {
      label: 'A',
      weight: 1,
      subject: 'A question, {{ first_name }}',
      message_template: 'Hello {{ first_name }}',
    },
    { label: 'B', weight: 1, subject: 'Re: your order', message_template: 'Click here: https://bit.ly/x' },
  ]
  const campaign = await aCampaign(owner, {
    steps_config: [
      { variants },
      { ...SECOND, message_template: 'See https://a.example/x', track_clicks: true },
    ],
  })
  const { blocks, warns, informs } = await checksOf(owner, campaign)
  expect(blocks).toEqual([])
  const ours = ['subject_false_reply', 'link_shortened', 'link_shows_other_host', 'spam_phrases']
  const fix = `/campaigns/${campaign.campaign_id}/sequence`
  expect([...warns, ...informs].filter(({ code }) => ours.includes(code))).toEqual([
    {
      code: 'subject_false_reply',
      message:
        'Step 1, variant B: The subject looks like a reply or a forward, but there is no thread yet. (Re:)',
      step: 1,
      fix,
    },
    expect.objectContaining({
      code: 'link_shortened',
      step: 1,
      message: expect.stringContaining('(bit.ly)'),
    }),
    expect.objectContaining({ code: 'link_shows_other_host', step: 2 }),
    expect.objectContaining({ code: 'spam_phrases', message: expect.stringContaining('(click here)') }),
  ])
})
