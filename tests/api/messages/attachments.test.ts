import * as fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { CreateInboxDraft, DeleteInboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import {
  CreateAttachment,
  CreateAttachmentFromUpload,
  ReadAttachment,
} from '#lib/contracts/messages/attachments'
import { listLocalFiles } from '#lib/db/backup-files'
import { db, pool } from '#lib/db/client'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { forgetAttachments, sha256 } from '#lib/services/messages/attached/attachments'
import { exportEverything } from '#lib/services/workspaces/archive/account-export'
import { call } from '#tests/support/call'
import { anAttachment, file, PDF, upload } from '#tests/support/files/attachments'
import { aThread, aUser } from '#tests/support/scenes/factories'
import { folder } from '#tests/support/scenes/posts'
import { aMember } from '#tests/support/scenes/team'
import { anUpload, put } from '#tests/support/scenes/uploads'
import { GET } from '../../../app/(public)/files/[token]/route.ts'

const DAY = 86_400_000
const later = (ms: number) => new Date(Date.now() + ms)

const filesThere = () => {
  const there = path.join(folder, 'files/attachments')
  return fs.existsSync(there) ? fs.readdirSync(there).length : 0
}
const sweep = async (now: Date) => {
  await forgetAttachments(now)
  await removeStrays(pool(), fileStorage, now)
}
const serve = (url: string) =>
  GET(new Request(url), { params: Promise.resolve({ token: new URL(url).pathname.split('/').at(-1) ?? '' }) })

describe('an attachment', () => {
  test('is kept as it came under a clean name, and served as bytes to be saved', async () => {
    const owner = await aUser()
    const given = new File([file()], '..\\Of\u202efer.pdf', { type: 'text/html' })
    const { attachment_id, url, ...made } = await anAttachment(owner, given)
    expect(made).toMatchObject({
      filename: 'Offer.pdf',
      content_type: 'application/pdf',
      size_bytes: PDF.length,
      sha256: sha256(PDF),
      user_id: owner.user_id,
    })
    const served = await serve(url)
    expect(served.headers.get('content-type')).toBe('application/octet-stream')
    expect(Buffer.from(await served.arrayBuffer())).toEqual(PDF)
    const read = await call(ReadAttachment, { as: owner, params: { attachment_id } })
    expect(read.body).toMatchObject({ attachment_id, filename: 'Offer.pdf' })
    const other = await call(ReadAttachment, { as: await aUser(), params: { attachment_id } })
    expect([other.status, other.error.detail]).toEqual([404, 'attachment_not_found'])
  })

  test('is made of an upload, which is used up by it', async () => {
    const owner = await aUser()
    const announced = await anUpload(owner, PDF.length, 'Offer.pdf')
    const asked = { as: owner, params: { upload_id: announced.upload_id } }
    const early = await call(CreateAttachmentFromUpload, asked)
    expect([early.status, early.error.detail]).toEqual([409, 'upload_missing'])
    await put(announced, new Uint8Array(PDF))
    const { status, body } = await call(CreateAttachmentFromUpload, asked)
    expect([status, body.filename, body.sha256]).toEqual([201, 'Offer.pdf', sha256(PDF)])
    expect((await call(CreateAttachmentFromUpload, asked)).status).toBe(404)
  })

  test('that was refused leaves its upload for nothing else, and nothing behind', async () => {
    const owner = await aUser()
    const before = filesThere()
    const announced = await anUpload(owner, PDF.length, 'run.exe')
    await put(announced, new Uint8Array(PDF))
    const asked = { as: owner, params: { upload_id: announced.upload_id } }
    const { status, error } = await call(CreateAttachmentFromUpload, asked)
    expect([status, error.detail, error.message]).toEqual([
      400,
      'attachment_refused',
      '.exe files are programs. Mail servers refuse those.',
    ])
    expect([
      await db.attachment.count({ where: { workspace_id: owner.workspace_id } }),
      filesThere(),
    ]).toEqual([0, before])
  })

  test('of an upload that is larger than an attachment is refused before all of it is read', async () => {
    const owner = await aUser()
    const size = 11 * 1024 * 1024
    const announced = await anUpload(owner, size, 'a.txt')
    await put(announced, new Uint8Array(size).fill(65))
    const asked = { as: owner, params: { upload_id: announced.upload_id } }
    const { status, error } = await call(CreateAttachmentFromUpload, asked)
    expect([status, error.detail]).toEqual([400, 'attachment_too_large'])
  })

  test('of a body without an end is not read to it', async () => {
    const owner = await aUser()
    const size = { 'content-length': `${1024 ** 3}` }
    const { status, error } = await call(CreateAttachment, { as: owner, body: new FormData(), headers: size })
    expect([status, error.detail]).toEqual([400, 'body_too_large'])
  })

  test('is not uploaded by who may only read', async () => {
    const owner = await aUser()
    for (const role of ['viewer', 'client'] as const)
      expect((await upload(await aMember(owner, role))).status).toBe(403)
    expect((await upload(await aMember(owner, 'member'))).status).toBe(201)
  })

  test('is in the export of its workspace and in a backup of the instance', async () => {
    const owner = await aUser()
    const { attachment_id } = await anAttachment(owner)
    const chunks: Uint8Array[] = []
    for await (const part of (await exportEverything(owner, new Date())).parts) chunks.push(part)
    const lines = Buffer.concat(chunks).toString().trim().split('\n')
    const line = lines.map((one) => JSON.parse(one)).find(({ file: id }) => id === attachment_id)
    expect(Buffer.from(line.content, 'base64')).toEqual(PDF)
    const { location } = await db.attachment.findUniqueOrThrow({ where: { attachment_id } })
    const client = await pool().connect()
    try {
      expect(await listLocalFiles(client)).toContain(location)
    } finally {
      client.release()
    }
  })

  test('waits among five hundred at most', async () => {
    const owner = await aUser()
    const { attachment_id } = await anAttachment(owner)
    const row = await db.attachment.findUniqueOrThrow({ where: { attachment_id } })
    const data = Array.from({ length: 499 }, (_, i) => {
      const { attachment_id: _id, ...rest } = row
      return { ...rest, location: `attachments/none-${crypto.randomUUID()}-${i}.bin` }
    })
    await db.attachment.createMany({ data })
    expect((await upload(owner)).status).toBe(429)
    await db.attachment.deleteMany({ where: { workspace_id: owner.workspace_id } })
  })
})

describe('a file is forgotten', () => {
  test('a day after nothing names it any more, and not before', async () => {
    const owner = await aUser()
    const { thread_id } = await aThread(owner)
    const { attachment_id } = await anAttachment(owner)
    const there = () => db.attachment.count({ where: { attachment_id } })
    const body = { text: 'x', attachment_ids: [attachment_id] }
    const { draft_id } = (await call(CreateInboxDraft, { as: owner, params: { thread_id }, body })).body
    await sweep(later(30 * DAY))
    expect(await there()).toBe(1)
    await call(DeleteInboxDraft, { as: owner, params: { thread_id, draft_id } })
    await sweep(later(DAY / 2))
    expect(await there()).toBe(1)
    const before = filesThere()
    await sweep(later(2 * DAY))
    expect([await there(), filesThere() < before]).toEqual([0, true])
  })

  test('with its workspace', async () => {
    const owner = await aUser()
    const { attachment_id } = await anAttachment(owner)
    const { location } = await db.attachment.findUniqueOrThrow({ where: { attachment_id } })
    await db.$executeRaw`DELETE FROM workspaces WHERE workspace_id = ${owner.workspace_id}::uuid`
    await removeStrays(pool(), fileStorage, new Date())
    expect(fs.existsSync(path.join(folder, 'files', location))).toBe(false)
  })

  test('by no round that looks while it is being named', async () => {
    const owner = await aUser()
    const { attachment_id } = await anAttachment(owner)
    const { thread_id } = await aThread(owner)
    const body = { text: 'x', attachment_ids: [attachment_id] }
    const at = later(DAY + 1_000)
    await Promise.all([
      forgetAttachments(at),
      call(CreateInboxDraft, { as: owner, params: { thread_id }, body }).then(async ({ status }) => {
        // One of the two came first; no draft may name a missing attachment.
        expect(await db.attachment.count({ where: { attachment_id } })).toBe(status === 201 ? 1 : 0)
      }),
    ])
  })
})
