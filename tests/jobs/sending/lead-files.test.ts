import { afterEach, describe, expect, test } from 'vitest'
import { ForecastCampaign } from '#lib/contracts/campaigns/forecasts'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { PreviewStep } from '#lib/contracts/campaigns/step-previews'
import { ReadTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { adoptTemplates } from '#lib/services/changes/template-adoption'
import { forgetAttachments } from '#lib/services/messages/attached/attachments'
import { call } from '#tests/support/call'
import { anAttachment, file } from '#tests/support/files/attachments'
import { aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launchedFor, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

type User = Awaited<ReturnType<typeof aUser>>
const pdf = (owner: User, name: string) =>
  anAttachment(owner, file(new Uint8Array(Buffer.from(`%PDF-1.7\n${name}`)), name))
const idsOf = async (owner: User, ...names: string[]) => {
  const made = []
  for (const name of names) made.push((await pdf(owner, name)).attachment_id)
  return made
}

/** Three leads with these values in the column `pdf`. */
async function withLeadFiles(without: 'skip' | 'hold', cells = ['Lead-0.pdf', 'files/lead-1', 'nobody.pdf']) {
  const owner = await aUser()
  await aMailbox(owner)
  const attachment_ids = await idsOf(owner, 'lead-0.PDF', 'lead-1.pdf')
  const common = await idsOf(owner, 'Terms.pdf')
  const lead_files = { column: 'pdf', attachment_ids, without }
  const { template_id } = await aTemplate(owner, { attachment_ids: common, lead_files })
  const first = { variants: [{ label: 'A', type: 'TEMPLATE' as const, weight: 100, template_id }] }
  const rows = cells.map((pdf, i) => ({
    email: `${crypto.randomUUID()}-${i}@lead.test`,
    first_name: 'Ada',
    company: 'Acme',
    pdf,
  }))
  const { dataset_id } = await aDataset(owner, rows)
  const campaign = await launchedFor(owner, { dataset_id, steps_config: [first, SECOND] })
  return { owner, template_id, lead_files, dataset_id, params: { campaign_id: campaign.campaign_id } }
}

const names = (outbox: { attachments?: { filename: string }[] }[]) =>
  outbox.map(({ attachments }) => attachments?.map(({ filename }) => filename).join()).toSorted()

describe('a file for each lead', () => {
  test('travels behind those of all leads; who has none gets the email without one where the step says so', async () => {
    const { owner, params } = await withLeadFiles('skip')
    const { body } = await call(ReadLaunchChecks, { as: owner, params })
    expect(body.blocks).toEqual([])
    expect(body.warns).toContainEqual(
      expect.objectContaining({
        code: 'lead_file_missing',
        step: 1,
        message: expect.stringMatching(
          /1 of 3 leads have no file of its own by pdf, for example row 3.*sent without/,
        ),
      }),
    )
    const { outbox } = await dispatchAt(MONDAY)
    expect(names(outbox)).toEqual(['Terms.pdf', 'Terms.pdf,lead-0.PDF', 'Terms.pdf,lead-1.pdf'])
  })

  test('that is missing holds the lead; added and taken over, it leaves with it, once', async () => {
    const { owner, params, template_id, lead_files } = await withLeadFiles('hold')
    const { body } = await call(ReadLaunchChecks, { as: owner, params })
    expect(body.warns.find(({ code }) => code === 'lead_file_missing')?.message).toMatch(
      /They wait at this step/,
    )
    // The forecast takes it into account: two leads, two steps each.
    const forecast = await call(ForecastCampaign, { as: owner, params })
    expect([forecast.status, forecast.body.total_actions]).toEqual([200, 4])
    expect(names((await dispatchAt(MONDAY)).outbox)).toEqual(['Terms.pdf,lead-0.PDF', 'Terms.pdf,lead-1.pdf'])
    const held = await db.campaignLead.findFirstOrThrow({ where: { ...params, lead_index: 2 } })
    expect([held.status, held.last_event, held.reason_detail]).toEqual([
      'active',
      'held',
      'There is no file for this lead: no file matches its pdf.',
    ])
    const added = await idsOf(owner, 'nobody.pdf')
    const anew = { ...lead_files, attachment_ids: [...lead_files.attachment_ids, ...added] }
    const content = { lead_files: anew }
    expect(
      (await call(UpdateTemplate, { as: owner, params: { template_id }, body: { content } })).status,
    ).toBe(200)
    expect((await dispatchAt(minutes(5))).outbox).toEqual([])
    await adoptTemplates(owner.workspace_id, params.campaign_id, [template_id], minutes(10))
    expect(names((await dispatchAt(minutes(10))).outbox)).toEqual(['Terms.pdf,nobody.pdf'])
    expect((await dispatchAt(minutes(15))).outbox).toEqual([])
  })

  test('is shown in the preview of each lead, or why there is none', async () => {
    const { owner, params } = await withLeadFiles('hold')
    const shown = async (lead_index: number) =>
      call(PreviewStep, { as: owner, params, body: { step: 1, lead_index } })
    expect((await shown(1)).body).toMatchObject({
      attachments: [{ filename: 'Terms.pdf' }, { filename: 'lead-1.pdf' }],
    })
    const none = await shown(2)
    expect([none.status, none.error.detail]).toEqual([409, 'message_impossible'])
    expect(JSON.stringify(none.error)).toContain('There is no file for this lead')
  })

  test('may be called by the address, and blocks a launch where the column is none or a file is gone', async () => {
    const { owner, params, template_id, lead_files } = await withLeadFiles('skip')
    const codes = async () =>
      (await call(ReadLaunchChecks, { as: owner, params })).body.blocks.map(({ code }) => code)
    const write = (column: string) =>
      db.campaignText.updateMany({
        where: params,
        data: { content: { subject: 'Hi', body: 'Hi', lead_files: { ...lead_files, column } } },
      })
    await write('email')
    expect(await codes()).toEqual([])
    await write('offer')
    expect(await codes()).toEqual(['lead_file_column_unknown'])
    await write('pdf')
    await db.attachment.deleteMany({ where: { attachment_id: lead_files.attachment_ids[0] ?? '' } })
    expect(await codes()).toEqual(['attachment_missing'])
    expect(template_id).toBeTruthy()
  })
})

describe('a template with files of leads', () => {
  test('keeps them while its words are changed, and for as long as it names them; null takes them off', async () => {
    const { owner, template_id, lead_files } = await withLeadFiles('skip')
    await db.campaign.deleteMany()
    const params = { template_id }
    await call(UpdateTemplate, { as: owner, params, body: { content: { subject: 'Other' } } })
    const read = async () => (await call(ReadTemplate, { as: owner, params })).body.content
    expect(await read()).toMatchObject({ subject: 'Other', lead_files })
    const kept = () => db.attachment.count({ where: { attachment_id: { in: lead_files.attachment_ids } } })
    await forgetAttachments(new Date(Date.now() + 90 * 86_400_000))
    expect(await kept()).toBe(2)
    await call(UpdateTemplate, { as: owner, params, body: { content: { lead_files: null } } })
    expect(await read()).not.toHaveProperty('lead_files')
    await forgetAttachments(new Date(Date.now() + 90 * 86_400_000))
    expect(await kept()).toBe(0)
  })

  test('refuses those of another workspace, two of one name, and is not shared', async () => {
    const { owner, template_id, lead_files } = await withLeadFiles('skip')
    const other = await aUser()
    const foreign = await idsOf(other, 'x.pdf')
    const twice = await idsOf(owner, 'LEAD-0.pdf')
    const change = (body: object) => call(UpdateTemplate, { as: owner, params: { template_id }, body })
    const loc = ['body', 'content', 'lead_files', 'attachment_ids']
    for (const ids of [foreign, [...lead_files.attachment_ids, ...twice]]) {
      const { status, error } = await change({
        content: { lead_files: { ...lead_files, attachment_ids: ids } },
      })
      expect([status, error.details?.[0]?.loc]).toEqual([422, loc])
    }
    const shared = await change({ is_shared: true, content: { attachment_ids: [] } })
    expect([shared.status, shared.error.details?.[0]?.loc]).toEqual([422, ['body', 'is_shared']])
  })
})
