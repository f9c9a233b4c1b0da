import * as fs from 'node:fs'
import path from 'node:path'
import { simpleParser } from 'mailparser'
import { afterEach, describe, expect, test } from 'vitest'
import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import { ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { CreateInboxDraft, ReadInboxDrafts, UpdateInboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import { db } from '#lib/db/client'
import { answersRound } from '#lib/services/inbox/planned/round'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { anAttachment, file, PDF } from '#tests/support/files/attachments'
import { aThread, aUser } from '#tests/support/scenes/factories'
import { answered, sink } from '#tests/support/scenes/inbox'
import { folder } from '#tests/support/scenes/posts'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.thread.deleteMany()
  await db.campaign.deleteMany()
})

const CSV = Buffer.from('name\r\nAda\n.\r\n')
const csv = () => file(new Uint8Array(CSV), 'Liste für Zoë.csv')

/** The storage loses all its files. */
const loseFiles = () => fs.rmSync(path.join(folder, 'files/attachments'), { recursive: true })

async function withFiles() {
  const made = await answered()
  const { owner, params } = made
  const offer = await anAttachment(owner)
  const list = await anAttachment(owner, csv())
  const attachment_ids = [offer.attachment_id, list.attachment_id]
  const { last_message_id } = (await call(ReadInboxThread, { as: owner, params })).body
  const drafts = async () => (await call(ReadInboxDrafts, { as: owner, params })).body.drafts
  return { ...made, attachment_ids, last_message_id, drafts }
}

const arrived = async (raw: string) => {
  const { attachments } = await simpleParser(Buffer.from(raw, 'latin1'))
  return attachments.map(({ filename, contentType, content }) => [filename, contentType, content])
}
const BOTH = [
  ['Offer.pdf', 'application/pdf', PDF],
  ['Liste für Zoë.csv', 'text/csv', CSV],
]

describe('files of an answer', () => {
  test('arrive byte for byte, and stand in the conversation', async () => {
    const { owner, params, attachment_ids } = await withFiles()
    const before = sink.messages.length
    const body = { text: 'Here it is.', attachment_ids }
    const { status, body: sent } = await call(ReplyInInbox, { as: owner, params, body })
    expect([status, sent.delivery_status, sent.attachments_kept]).toEqual([201, 'sent', true])
    expect(await arrived(sink.messages[before]?.raw ?? '')).toEqual(BOTH)
    const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
    expect(messages.at(-1)?.attachments).toEqual([
      { filename: 'Offer.pdf', content_type: 'application/pdf', size_bytes: PDF.length },
      { filename: 'Liste für Zoë.csv', content_type: 'text/csv', size_bytes: CSV.length },
    ])
  })

  test('wait with it, can be changed until then, and leave once', async () => {
    const { owner, params, attachment_ids, last_message_id, drafts } = await withFiles()
    const send_at = new Date(Date.now() + 60_000)
    const reversed = [...attachment_ids].reverse()
    const body = { text: 'Later.', attachment_ids: reversed, last_message_id, send_at: send_at.toISOString() }
    const { body: planned } = await call(ReplyInInbox, { as: owner, params, body })
    expect(planned.attachments.map(({ filename }) => filename)).toEqual(['Liste für Zoë.csv', 'Offer.pdf'])
    const which = { ...params, draft_id: planned.inbox_message_id ?? '' }
    const { body: draft } = await call(UpdateInboxDraft, {
      as: owner,
      params: which,
      body: { attachment_ids },
    })
    expect(draft.attachments.map(({ filename }) => filename)).toEqual(['Offer.pdf', 'Liste für Zoë.csv'])
    // Fields that the request leaves out keep their values.
    await call(UpdateInboxDraft, { as: owner, params: which, body: { text: 'Much later.' } })
    const { outbox, provider } = memoryMail()
    for (let round = 0; round < 2; round += 1) await answersRound(new Date(send_at.getTime() + 1), provider)
    expect(outbox.map(({ text }) => text)).toEqual([expect.stringContaining('Much later.')])
    expect(outbox[0]?.attachments?.map(({ filename, content }) => [filename, Buffer.from(content)])).toEqual([
      ['Offer.pdf', PDF],
      ['Liste für Zoë.csv', CSV],
    ])
    expect(await drafts()).toEqual([])
  })

  test('are there again where it was refused, for another try', async () => {
    const { owner, params, attachment_ids, last_message_id, drafts } = await withFiles()
    const send_at = new Date(Date.now() + 60_000)
    const body = { text: 'Later.', attachment_ids, last_message_id, send_at: send_at.toISOString() }
    await call(ReplyInInbox, { as: owner, params, body })
    const { provider } = memoryMail(() => ({
      outcome: 'never_left',
      reason: 'connect',
      error: 'Nobody there.',
    }))
    await answersRound(new Date(send_at.getTime() + 1), provider)
    expect(await drafts()).toMatchObject([
      { stopped: expect.stringContaining('Nobody there.'), attachments: [{ filename: 'Offer.pdf' }, {}] },
    ])
  })

  test('that are gone by then keep it from leaving without them: it stays a draft that says why', async () => {
    const { owner, params, attachment_ids, last_message_id, drafts } = await withFiles()
    const send_at = new Date(Date.now() + 60_000)
    const body = { text: 'Later.', attachment_ids, last_message_id, send_at: send_at.toISOString() }
    await call(ReplyInInbox, { as: owner, params, body })
    loseFiles()
    const { outbox, provider } = memoryMail()
    expect(await answersRound(new Date(send_at.getTime() + 1), provider)).toMatchObject({ stopped: 1 })
    expect(outbox).toEqual([])
    expect(await drafts()).toMatchObject([
      { send_at: null, stopped: expect.stringContaining('Offer.pdf is missing'), attachments: [{}, {}] },
    ])
    const now = await call(ReplyInInbox, { as: owner, params, body: { text: 'Now.', attachment_ids } })
    expect([now.status, now.error.detail]).toEqual([409, 'attachment_missing'])
  })

  test('that are not what they were do not leave', async () => {
    const { owner, params, attachment_ids } = await withFiles()
    const kept = path.join(folder, 'files/attachments')
    for (const name of fs.readdirSync(kept)) fs.writeFileSync(path.join(kept, name), 'something else')
    const { status, error } = await call(ReplyInInbox, {
      as: owner,
      params,
      body: { text: 'x', attachment_ids },
    })
    expect([status, error.detail]).toEqual([409, 'attachment_missing'])
  })

  test('travel on where it is forwarded, and others with them', async () => {
    const { owner, params, attachment_ids } = await withFiles()
    const [offer = '', list = ''] = attachment_ids
    const body = { text: 'Here it is.', attachment_ids: [offer] }
    const { inbox_message_id } = (await call(ReplyInInbox, { as: owner, params, body })).body
    const before = sink.messages.length
    const which = { ...params, inbox_message_id: inbox_message_id ?? '' }
    const forward = { to: 'bob@own.test', attachment_ids: [list] }
    const { status } = await call(ForwardInInbox, { as: owner, params: which, body: forward })
    expect(status).toBe(201)
    expect(await arrived(sink.messages[before]?.raw ?? '')).toEqual(BOTH)
  })
})

describe('no email is written', () => {
  test('with a file of another workspace, which is named by its field', async () => {
    const { owner, params } = await answered()
    const { attachment_id } = await anAttachment(await aUser())
    const body = { text: 'x', attachment_ids: [attachment_id] }
    for (const operation of [ReplyInInbox, CreateInboxDraft]) {
      const { status, error } = await call(operation, { as: owner, params, body })
      expect([status, error.details?.[0]?.loc]).toEqual([422, ['body', 'attachment_ids']])
    }
    expect(await db.attachment.findUnique({ where: { attachment_id } })).toMatchObject({ used_at: null })
  })

  test('with more than an email takes', async () => {
    const { owner, params } = await answered()
    const large = file(new Uint8Array(8 * 1024 * 1024).fill(65), 'a.txt')
    const attachment_ids = [await anAttachment(owner, large), await anAttachment(owner, large)].map(
      ({ attachment_id }) => attachment_id,
    )
    const { status, error } = await call(ReplyInInbox, {
      as: owner,
      params,
      body: { text: 'x', attachment_ids },
    })
    expect([status, error.details?.[0]?.msg]).toEqual([422, expect.stringContaining('21.9 MB')])
  })

  test('with a file in a chat', async () => {
    const owner = await aUser()
    const { thread_id } = await aThread(owner)
    await db.thread.update({ where: { thread_id }, data: { channel: 'social' } })
    const { attachment_id } = await anAttachment(owner)
    const body = { text: 'x', attachment_ids: [attachment_id] }
    const { status, error } = await call(CreateInboxDraft, { as: owner, params: { thread_id }, body })
    expect([status, error.details?.[0]?.loc]).toEqual([422, ['body', 'attachment_ids']])
  })
})
