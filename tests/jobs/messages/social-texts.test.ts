import { afterEach, expect, test } from 'vitest'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { DbNull } from '#lib/db/json'
import { textCells } from '#lib/domain/personalize/material'
import { sealText } from '#lib/domain/personalize/review'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { approveGeneration, approveRun } from '#lib/services/personalize/review'
import { editGeneration } from '#lib/services/personalize/rows'
import { previewRun, startRun } from '#lib/services/personalize/runs'
import { workRun } from '#lib/services/personalize/work'
import { dispatchDue } from '#lib/services/sending/run'
import { previewStep } from '#lib/services/step-previews/step-previews'
import { fakeWriter, type Said } from '#tests/support/doubles/fake-writer'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { asSocial } from '#tests/support/scenes/previews'
import { anAccount } from '#tests/support/scenes/social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const NAMES = ['Ada', 'Bob']
const INVITE = {
  channel: 'social',
  action_type: 'connection_request',
  message_template: 'Hello {{ first_name }}',
  ai_personalization_enabled: true,
}
const short = ({ cells }: { cells: Record<string, string> }): Said => ({
  subject: 'Never in a note',
  body: `Hi ${cells.first_name}, a word about ${cells.company}?`,
})

/** A campaign of one AI step on a free account, whose notes have at most 200 characters, with a finished run. */
async function written(step: object = INVITE, answer: typeof short = short, fields: object = {}) {
  const owner = await aUser()
  const { account_id } = await anAccount(owner, { name: 'Ours' })
  await db.connectedAccount.update({
    where: { account_id },
    data: { kind: 'free', min_interval_seconds: 0 },
  })
  const { dataset_id } = await aDataset(
    owner,
    NAMES.map((first_name) => ({
      email: null,
      first_name,
      company: 'Acme',
      linkedin_url: `https://www.linkedin.com/in/${first_name.toLowerCase()}`,
    })),
  )
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    steps_config: [step],
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    min_interval_seconds: 0,
    unreviewed_launch_policy: 'hold',
    ...fields,
  })
  const seen: string[] = []
  const { writer } = fakeWriter((data) => {
    seen.push(JSON.stringify(data))
    return answer(data)
  })
  const { run_id } = await startRun(
    owner.workspace_id,
    Personalize.body.parse({ dataset_id, campaign_id }),
    MONDAY,
    writer,
  )
  await workRun(run_id, { writer, clock: () => MONDAY, until: minutes(600), concurrency: 1 })
  const rows = await db.generation.findMany({ where: { run_id }, orderBy: { lead_index: 'asc' } })
  return { owner, campaign_id, dataset_id, run_id, rows, seen, writer }
}

async function launch({
  owner,
  campaign_id,
}: {
  owner: { workspace_id: string; user_id: string }
  campaign_id: string
}) {
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
}

async function performedAt(at: Date) {
  const social = memorySocial()
  await dispatchDue({ mail: memoryMail().provider, social: social.drivers, clock: () => at })
  return social.done.map(({ action }) => action)
}
const note = (name: string, text: string) => ({
  action_type: 'connection_request',
  provider_id: `id-${name}`,
  note: text,
})

test('a note that was approved is what the network gets, word for word, and the others wait', async () => {
  const made = await written()
  expect(made.rows).toMatchObject([
    { subject: '', body: 'Hi Ada, a word about Acme?', flags: [] },
    { subject: '', body: 'Hi Bob, a word about Acme?', flags: [] },
  ])
  expect(made.seen[0]).toContain('at most 200 characters, without a subject')
  await launch(made)
  expect(await performedAt(MONDAY)).toEqual([])
  const leads = () =>
    db.campaignLead.findMany({ where: { campaign_id: made.campaign_id }, orderBy: { lead_index: 'asc' } })
  expect(await leads()).toMatchObject([{ last_event: 'held' }, { last_event: 'held' }])
  await approveGeneration(made.owner.workspace_id, made.rows[0]?.generation_id ?? '', minutes(1))
  const preview = await previewStep(
    made.owner.workspace_id,
    made.campaign_id,
    { step: 1, lead_index: 0 },
    MONDAY,
  )
  expect(await performedAt(minutes(1))).toEqual([note('ada', 'Hi Ada, a word about Acme?')])
  expect(asSocial(preview).text).toBe('Hi Ada, a word about Acme?')
  expect(await performedAt(minutes(2))).toEqual([])
})

test('a lead whose data changed after the approval is held', async () => {
  const made = await written(INVITE, short, { unreviewed_launch_policy: 'launch_default' })
  await approveRun(made.owner.workspace_id, made.run_id, false, MONDAY)
  await launch(made)
  const place = { dataset_id: made.dataset_id, lead_index: 1 }
  const { data } = await db.datasetRow.findUniqueOrThrow({ where: { dataset_id_lead_index: place } })
  await db.datasetRow.update({
    where: { dataset_id_lead_index: place },
    data: { data: { ...(data as object), company: 'Other' } },
  })
  expect(await performedAt(minutes(1))).toEqual([note('ada', 'Hi Ada, a word about Acme?')])
  const held = await db.campaignLead.findFirst({ where: { campaign_id: made.campaign_id, lead_index: 1 } })
  expect(held).toMatchObject({ status: 'active', last_event: 'held' })
  expect(held?.reason_detail).toContain('changed')
})

test('without an approved text launch_default says the words of the step', async () => {
  const made = await written(INVITE, short, { unreviewed_launch_policy: 'launch_default' })
  await launch(made)
  expect(await performedAt(minutes(1))).toEqual([note('ada', 'Hello Ada'), note('bob', 'Hello Bob')])
})

test('a note longer than the account may send is flagged and cannot be approved, also with all others', async () => {
  const long = (data: Parameters<typeof short>[0]): Said =>
    data.cells.first_name === 'Ada' ? { subject: '', body: `Hi Ada, ${'so '.repeat(80)}` } : short(data)
  const made = await written(INVITE, long)
  const [ada, bob] = made.rows
  expect(ada?.flags).toMatchObject([{ code: 'too_long', message: expect.stringContaining('200') }])
  expect(bob?.flags).toEqual([])
  const id = ada?.generation_id ?? ''
  await expect(approveGeneration(made.owner.workspace_id, id, MONDAY)).rejects.toThrow('at most 200')
  await approveRun(made.owner.workspace_id, made.run_id, true, MONDAY)
  const approved = () =>
    db.generation.findMany({
      where: { run_id: made.run_id, approved_at: { not: null } },
      orderBy: { lead_index: 'asc' },
      select: { lead_index: true },
    })
  expect(await approved()).toEqual([{ lead_index: 1 }])

  const edited = await editGeneration(made.owner.workspace_id, id, { body: 'x'.repeat(201) }, MONDAY)
  expect(edited.flags.map(({ code }) => code)).toContain('too_long')
  await editGeneration(made.owner.workspace_id, id, { body: 'Hi Ada, shorter.' }, MONDAY)
  await approveGeneration(made.owner.workspace_id, id, MONDAY)
  expect(await approved()).toHaveLength(2)
})

test('a text approved for an account that bears more is never cut: it fails and says why', async () => {
  const body = `Hi Ada, ${'so '.repeat(60)}ok`
  const made = await written(INVITE, ({ cells }) =>
    cells.first_name === 'Ada' ? { subject: '', body } : short({ cells }),
  )
  await approveRun(made.owner.workspace_id, made.run_id, true, MONDAY)
  const longer = `${body} and a good deal more`
  const row = await db.generation.findFirstOrThrow({ where: { run_id: made.run_id, lead_index: 0 } })
  const seal = sealText(
    { subject: '', body: longer },
    textCells(row.lead_snapshot as Record<string, unknown>),
  )
  await db.generation.update({
    where: { generation_id: row.generation_id },
    data: { body: longer, seal, approved_cells: DbNull },
  })
  await launch(made)
  expect(await performedAt(minutes(1))).toEqual([note('bob', 'Hi Bob, a word about Acme?')])
  const failed = await db.action.findFirstOrThrow({
    where: { campaign_id: made.campaign_id, status: 'failed' },
  })
  expect(failed.response).toContain('at most 200')
})

test('an InMail keeps its subject, a message has none, and the playground writes the same', async () => {
  const inmail = { ...INVITE, action_type: 'inmail', subject: 'About {{ company }}' }
  const made = await written(inmail)
  expect(made.rows[0]).toMatchObject({ subject: 'Never in a note' })
  const message = await written({ ...INVITE, action_type: 'message' })
  expect(message.rows[0]).toMatchObject({ subject: '' })
  const { dataset_id, campaign_id, owner, writer } = message
  const asked = { ...Personalize.body.parse({ dataset_id, campaign_id }), lead_indexes: [0] }
  const { generations } = await previewRun(owner.workspace_id, asked, MONDAY, writer)
  expect(generations).toMatchObject([{ subject: '', body: 'Hi Ada, a word about Acme?' }])
})

test('a step that says nothing has no texts to write and cannot be launched as an AI’s', async () => {
  const visit = { channel: 'social', action_type: 'visit_profile', ai_personalization_enabled: true }
  await expect(written(visit)).rejects.toThrow()
  const [campaign] = await db.campaign.findMany()
  await expect(
    launchCampaign(campaign?.workspace_id ?? '', campaign?.campaign_id ?? '', null, MONDAY),
  ).rejects.toThrow('has no text')
})
