import * as fs from 'node:fs'
import path from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { AdoptTemplates, UndoCampaignEdit } from '#lib/contracts/campaigns/campaign-edits'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import { ReadTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { db } from '#lib/db/client'
import { createDiskStorage } from '#lib/providers/storage/disk'
import { fileStorage } from '#lib/services/files/storage'
import { forgetAttachments } from '#lib/services/messages/attached/attachments'
import { call } from '#tests/support/call'
import { anAttachment, PDF } from '#tests/support/files/attachments'
import { aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { sink } from '#tests/support/scenes/inbox'
import { dispatchAt, FIRST, launchedFor, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { folder } from '#tests/support/scenes/posts'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  vi.restoreAllMocks()
  await db.campaign.deleteMany()
})

const stepOf = (template_id: string) => ({
  variants: [{ label: 'A', type: 'TEMPLATE' as const, weight: 100, template_id }],
})

async function withFile(leads = 3) {
  const owner = await aUser()
  const smtp = { port: sink.port }
  const mailbox = await aMailbox(owner, smtp)
  const { attachment_id } = await anAttachment(owner)
  const { template_id } = await aTemplate(owner, { attachment_ids: [attachment_id] })
  const steps_config = [stepOf(template_id), SECOND]
  const campaign = await launchedFor(owner, { steps_config }, leads)
  return { owner, mailbox, attachment_id, template_id, ...campaign }
}

const where = path.join(folder, 'files')
async function lose(attachment_id: string) {
  const { location } = await db.attachment.findUniqueOrThrow({ where: { attachment_id } })
  fs.rmSync(path.join(where, location))
  return () => createDiskStorage(where).put(location, PDF, 'application/octet-stream')
}

async function fate(campaign_id: string) {
  const lead = await db.campaignLead.findFirstOrThrow({ where: { campaign_id } })
  const action = await db.action.findFirstOrThrow({ where: { campaign_id } })
  return [lead.status, action.response]
}

describe('the files of a step', () => {
  test('travel with the email of each lead, and are read once for all of them', async () => {
    await withFile(5)
    const reads = vi.spyOn(fileStorage(), 'read')
    const { outbox } = await dispatchAt(MONDAY)
    expect(outbox.map(({ attachments }) => attachments?.map(({ filename }) => filename))).toEqual(
      Array(5).fill(['Offer.pdf']),
    )
    expect(outbox.every(({ attachments }) => PDF.equals(attachments?.[0]?.content ?? Buffer.alloc(0)))).toBe(
      true,
    )
    expect(reads).toHaveBeenCalledTimes(1)
    // The next step has no file.
    const next = await dispatchAt(minutes(24 * 60 + 1))
    expect(next.outbox.map(({ attachments }) => attachments)).toEqual(Array(5).fill(undefined))
  })

  test('that are gone keep its emails from leaving; back again, they leave', async () => {
    const { attachment_id, campaign_id } = await withFile(1)
    const putBack = await lose(attachment_id)
    const { outbox } = await dispatchAt(MONDAY)
    expect(outbox).toEqual([])
    expect(await fate(campaign_id)).toEqual([
      'active',
      'The file Offer.pdf is missing from storage. Remove it or attach it again.',
    ])
    await putBack()
    expect((await dispatchAt(minutes(6))).outbox).toMatchObject([
      { attachments: [{ filename: 'Offer.pdf' }] },
    ])
  })

  test('that stay gone end the lead, and it is said why', async () => {
    const { attachment_id, campaign_id } = await withFile(1)
    await lose(attachment_id)
    for (const at of [0, 6, 30, 120, 400, 700]) expect((await dispatchAt(minutes(at))).outbox).toEqual([])
    expect(await fate(campaign_id)).toEqual([
      'failed',
      expect.stringContaining('The file Offer.pdf is missing'),
    ])
  })

  test('are those that the campaign was launched with, whatever becomes of the template', async () => {
    const { owner, template_id, attachment_id } = await withFile(1)
    const change = { as: owner, params: { template_id }, body: { content: { attachment_ids: [] } } }
    const { status, body } = await call(UpdateTemplate, change)
    expect([status, body.content.attachment_ids, body.older_in.length]).toEqual([200, undefined, 1])
    await forgetAttachments(new Date(Date.now() + 90 * 86_400_000))
    expect(await db.attachment.count({ where: { attachment_id } })).toBe(1)
    expect((await dispatchAt(MONDAY)).outbox).toMatchObject([{ attachments: [{ filename: 'Offer.pdf' }] }])
  })

  test('are taken over with the text, which is said, and come back with it where that is undone', async () => {
    const { owner, template_id, campaign_id, attachment_id } = await withFile(1)
    const body = { content: { attachment_ids: [] } }
    await call(UpdateTemplate, { as: owner, params: { template_id }, body })
    const params = { campaign_id }
    const kept = async () => (await db.campaignText.findFirstOrThrow({ where: params })).content
    const adopt = { as: owner, params, body: { template_ids: [template_id] } }
    const { status } = await call(AdoptTemplates, adopt)
    expect([status, await kept()]).toEqual([
      200,
      expect.not.objectContaining({ attachment_ids: [attachment_id] }),
    ])
    // The edit still names the file, so that it can be undone.
    await forgetAttachments(new Date(Date.now() + 90 * 86_400_000))
    const { edit_id } = await db.campaignEdit.findFirstOrThrow({ where: params })
    await call(UndoCampaignEdit, { as: owner, params: { ...params, edit_id } })
    expect(await kept()).toMatchObject({ attachment_ids: [attachment_id] })
    expect(await db.attachment.count({ where: { attachment_id } })).toBe(1)
  })

  test('are in a test, in the preview, and in what the launch says', async () => {
    const { owner, campaign_id } = await withFile(1)
    const params = { campaign_id }
    const which = { step: 1, lead_index: 0 }
    const { body: shown } = await call(PreviewStep, { as: owner, params, body: which })
    expect(shown).toMatchObject({ attachments: [{ filename: 'Offer.pdf', size_bytes: PDF.length }] })
    expect('raw' in shown && shown.raw).toContain('filename=Offer.pdf')
    const before = sink.messages.length
    const asked = { as: owner, params, body: { ...which, to: 'me@own.test' } }
    expect((await call(SendTest, asked)).body.sent).toBe(true)
    expect(sink.messages[before]?.raw).toContain(PDF.toString('base64').slice(0, 76))
    const { body } = await call(ReadLaunchChecks, { as: owner, params })
    expect(body.warns).toContainEqual(
      expect.objectContaining({
        code: 'attachment_in_first',
        step: 1,
        message: expect.stringMatching(/Offer\.pdf; \d+ KB in each email.*Filters hold back files/),
      }),
    )
    await db.attachment.deleteMany({ where: { workspace_id: owner.workspace_id } })
    const gone = (await call(ReadLaunchChecks, { as: owner, params })).body
    expect(gone.blocks.map(({ code }) => code)).toContain('attachment_missing')
    const refused = await call(SendTest, asked)
    expect([refused.status, sink.messages.length]).toEqual([422, before + 1])
  })
})

describe('a template', () => {
  test('keeps its files where its words are changed, and names those of its workspace alone', async () => {
    const owner = await aUser()
    const { attachment_id } = await anAttachment(owner)
    const { template_id } = await aTemplate(owner, { attachment_ids: [attachment_id] })
    const params = { template_id }
    await call(UpdateTemplate, { as: owner, params, body: { content: { subject: 'Other' } } })
    const { body } = await call(ReadTemplate, { as: owner, params })
    expect(body.content).toMatchObject({ subject: 'Other', attachment_ids: [attachment_id] })
    const other = await anAttachment(await aUser())
    const foreign = { content: { attachment_ids: [other.attachment_id] } }
    const { status, error } = await call(UpdateTemplate, { as: owner, params, body: foreign })
    expect([status, error.details?.[0]?.loc]).toEqual([422, ['body', 'content', 'attachment_ids']])
    await forgetAttachments(new Date(Date.now() + 90 * 86_400_000))
    expect(await db.attachment.count({ where: { attachment_id } })).toBe(1)
  })

  test('with files is not shared with children', async () => {
    const owner = await aUser()
    const { attachment_id } = await anAttachment(owner)
    const { template_id } = await aTemplate(owner, { attachment_ids: [attachment_id] })
    const asked = { as: owner, params: { template_id }, body: { is_shared: true } }
    const { status, error } = await call(UpdateTemplate, asked)
    expect([status, error.details?.[0]?.loc]).toEqual([422, ['body', 'is_shared']])
  })

  test('without files is kept as it was before there were any', async () => {
    const owner = await aUser()
    const { template_id } = await aTemplate(owner, { ...FIRST_WORDS, attachment_ids: [] })
    const row = await db.template.findUniqueOrThrow({ where: { template_id } })
    expect(row.content).toEqual(FIRST_WORDS)
  })
})

const FIRST_WORDS = { subject: FIRST.subject, body: FIRST.message_template }
