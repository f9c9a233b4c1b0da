import { createHash } from 'node:crypto'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { AttachmentModel } from '#lib/db/generated/models'
import { judgeAttachment } from '#lib/domain/messages/attached/judge'
import { ATTACHMENT_BYTES, attachedProblem } from '#lib/domain/messages/attached/limits'
import { sizeWords } from '#lib/domain/text/size-words'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError, invalid } from '#lib/errors'
import { adoptFile, fileUrl, keepFile, type StoredFile } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { openUpload, useUpUpload } from '#lib/services/files/uploads'

/** Most files per workspace that nothing uses yet, so that nobody fills the storage with them. */
const MOST_WAITING = 500
const MOST_WAITING_BYTES = 1024 * 1024 * 1024
const DAY_MS = 86_400_000

type Tx = Prisma.TransactionClient

const IN_BODY = ['body', 'attachment_ids']

const shown = (file: AttachmentModel, now: Date) => ({
  ...file,
  url: fileUrl({ id: file.attachment_id, workspace_id: file.workspace_id }, now),
})

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** Checks a file and stores it; 400 with the reason if mail servers would refuse it. */
export async function createAttachment(user: Maker, file: File, now: Date) {
  if (file.size > ATTACHMENT_BYTES) throw tooLarge()
  const bytes = new Uint8Array(await file.arrayBuffer())
  return keepAttachment(user, { filename: file.name, bytes }, now)
}

/** `createAttachment` for a file that was uploaded to an upload's address, which is used up by this. */
export async function createAttachmentFromUpload(user: Maker, upload_id: string, now: Date) {
  const { filename, parts } = await openUpload(user.workspace_id, upload_id, now)
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const part of parts) {
    size += part.byteLength
    if (size > ATTACHMENT_BYTES) throw tooLarge()
    chunks.push(part)
  }
  const given = { filename, bytes: new Uint8Array(Buffer.concat(chunks)) }
  const { workspace_id } = user
  return keepAttachment(user, given, now, (tx) => useUpUpload(tx, { workspace_id, upload_id }))
}

const tooLarge = () =>
  new AppError('attachment_too_large', { message: `The file is larger than ${sizeWords(ATTACHMENT_BYTES)}.` })

async function keepAttachment(
  { workspace_id, user_id }: Maker,
  given: { filename: string; bytes: Uint8Array<ArrayBuffer> },
  now: Date,
  also: (tx: Tx) => Promise<unknown> = async () => undefined,
) {
  const judged = judgeAttachment(given)
  if (!judged.ok) throw new AppError(judged.code, { message: judged.reason })
  const { filename, content_type } = judged
  const { bytes } = given
  const stored = await keepFile(
    fileStorage(),
    { folder: 'attachments', extension: 'bin', content_type: 'application/octet-stream', bytes },
    now,
  )
  const about = { filename, content_type, size_bytes: bytes.length, sha256: sha256(bytes) }
  const file = await db.$transaction(async (tx) => {
    await checkWaiting(tx, workspace_id)
    await also(tx)
    await adoptFile(tx, stored)
    return tx.attachment.create({ data: { ...stored, ...about, workspace_id, user_id, created_at: now } })
  })
  return shown(file, now)
}

/** Serialized by a lock on the workspace, so that concurrent requests count each other's files. */
async function checkWaiting(tx: Tx, workspace_id: string): Promise<void> {
  await tx.$queryRaw`SELECT 1 FROM workspaces WHERE workspace_id = ${workspace_id}::uuid FOR NO KEY UPDATE`
  const { _count, _sum } = await tx.attachment.aggregate({
    where: { workspace_id, used_at: null },
    _count: true,
    _sum: { size_bytes: true },
  })
  const bytes = Number(_sum.size_bytes ?? 0)
  if (_count < MOST_WAITING && bytes < MOST_WAITING_BYTES) return
  throw new AppError('rate_limited', {
    message: `${_count} files (${sizeWords(bytes)}) are waiting to be sent. Use some, or wait: they are removed after a day.`,
    retryAfterSeconds: 600,
  })
}

export async function readAttachment(workspace_id: string, attachment_id: string, now: Date) {
  const file = await db.attachment.findFirst({ where: { attachment_id, workspace_id } })
  if (!file) throw new AppError('attachment_not_found')
  return shown(file, now)
}

type Named = Pick<AttachmentModel, 'attachment_id' | 'filename' | 'content_type' | 'size_bytes'>

/** The files with these ids, by id; missing ones are left out. */
export async function findAttached(workspace_id: string, ids: string[]): Promise<Map<string, Named>> {
  if (ids.length === 0) return new Map()
  const rows = await db.attachment.findMany({
    where: { workspace_id, attachment_id: { in: ids } },
    select: { attachment_id: true, filename: true, content_type: true, size_bytes: true },
  })
  return new Map(rows.map((row) => [row.attachment_id, row]))
}

/** The files of one list, in its order; missing ones are left out. */
export async function attachedFiles(workspace_id: string, ids: string[] = []): Promise<Named[]> {
  const known = await findAttached(workspace_id, ids)
  return ids.flatMap((id) => known.get(id) ?? [])
}

/**
 * Marks files as used, in the transaction that writes the reference to them; from then on they are kept. 422 for a file of another
 * workspace, and for more than fits an email.
 */
export async function nameAttachments(
  tx: Pick<Tx, 'attachment'>,
  workspace_id: string,
  ids: string[],
  now: Date,
  loc = IN_BODY,
  problemOf: ProblemOf = attachedProblem,
): Promise<AttachmentModel[]> {
  if (ids.length === 0) return []
  // An update, so that a concurrent removal of unused files checks these rows again.
  const rows = await tx.attachment.updateManyAndReturn({
    where: { workspace_id, attachment_id: { in: ids } },
    data: { used_at: now },
  })
  return inOrder(rows, ids, loc, problemOf)
}

type ProblemOf = (files: AttachmentModel[]) => string | null

/** The files in the requested order, each once. */
function inOrder(
  rows: AttachmentModel[],
  ids: string[],
  loc = IN_BODY,
  problemOf: ProblemOf = attachedProblem,
): AttachmentModel[] {
  const known = new Map(rows.map((row) => [row.attachment_id, row]))
  const files = [...new Set(ids)].map((id) => {
    const file = known.get(id)
    if (!file) throw invalid(loc, `There is no attachment ${id}.`)
    return file
  })
  const problem = problemOf(files)
  if (problem) throw invalid(loc, problem)
  return files
}

export type Loaded = Named & { content: Uint8Array }

/** The original bytes of these files; throws if one is gone or was changed. */
export async function loadAttachments(workspace_id: string, ids: string[]): Promise<Loaded[]> {
  if (ids.length === 0) return []
  const rows = await db.attachment.findMany({ where: { workspace_id, attachment_id: { in: ids } } })
  const loaded: Loaded[] = []
  for (const file of inOrder(rows, ids)) loaded.push({ ...file, content: await readWhole(file) })
  return loaded
}

async function readWhole(
  file: StoredFile & Pick<AttachmentModel, 'filename' | 'sha256'>,
): Promise<Uint8Array> {
  const bytes = await fileStorage(file.storage)
    .read(file.location)
    .catch((cause: unknown) => {
      const message = `The file ${file.filename} could not be read from storage. Try again.`
      throw new AppError('storage_unavailable', { message, cause })
    })
  if (bytes && sha256(bytes) === file.sha256) return bytes
  const message = `The file ${file.filename} is missing from storage. Remove it or attach it again.`
  throw new AppError('attachment_missing', { message })
}

/** Removes the records of files that nothing uses; their objects are strays from then on. Returns how many. */
export async function forgetAttachments(now: Date): Promise<number> {
  return db.$executeRaw`
    DELETE FROM attachments a
    WHERE coalesce(a.used_at, a.created_at) <= ${new Date(now.getTime() - DAY_MS)}
      AND NOT EXISTS (SELECT 1 FROM inbox_drafts d
        WHERE d.attachment_ids <> '{}' AND d.attachment_ids @> ARRAY[a.attachment_id] AND d.workspace_id = a.workspace_id)
      AND NOT EXISTS (SELECT 1 FROM inbox_messages m
        WHERE m.attachment_ids <> '{}' AND m.attachment_ids @> ARRAY[a.attachment_id] AND m.workspace_id = a.workspace_id)
      AND NOT EXISTS (SELECT 1 FROM templates t WHERE t.workspace_id = a.workspace_id
        AND t.content @> jsonb_build_object('attachment_ids', jsonb_build_array(a.attachment_id)))
      AND NOT EXISTS (SELECT 1 FROM templates t WHERE t.workspace_id = a.workspace_id
        AND t.content @> jsonb_build_object('lead_files', jsonb_build_object('attachment_ids', jsonb_build_array(a.attachment_id))))
      AND NOT EXISTS (SELECT 1 FROM campaign_texts k WHERE k.workspace_id = a.workspace_id
        AND k.content @> jsonb_build_object('attachment_ids', jsonb_build_array(a.attachment_id)))
      AND NOT EXISTS (SELECT 1 FROM campaign_texts k WHERE k.workspace_id = a.workspace_id
        AND k.content @> jsonb_build_object('lead_files', jsonb_build_object('attachment_ids', jsonb_build_array(a.attachment_id))))
      AND NOT EXISTS (SELECT 1 FROM campaign_edits e WHERE e.workspace_id = a.workspace_id
        AND position(a.attachment_id::text IN e.before::text) > 0)`
}
