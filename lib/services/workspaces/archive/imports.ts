import type { PoolClient } from 'pg'
import type { z } from 'zod'
import { type CreateWorkspaceImport, WorkspaceImport } from '#lib/contracts/workspaces/workspaces'
import { db } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { IMPORT_MOVES, IMPORTS_UNDER_WAY } from '#lib/domain/workspaces/import-moves'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError } from '#lib/errors'
import { WorkspaceImportRequested } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { announceUpload, openUploaded, uploadAddress } from '#lib/services/files/uploads'
import { checkArchive } from '#lib/services/workspaces/archive/lines'
import { type Imported, importWorkspace } from '#lib/services/workspaces/archive/workspace-import'
import { MAX_OWNED } from '#lib/services/workspaces/workspaces'

/*
 * Imports of workspaces, and the only writer of their status. The file waits in the storage. Its rows and the end of the import are one
 * transaction, so an import retried after a crash starts over, and takes effect only once.
 */

/** An import without progress for this long has lost its event or its worker. */
const STALE_MS = 120_000
/** How long the file of a started import is kept at most. */
const KEPT_MS = 7 * 86_400_000
const PROGRESS_MS = 1_000
/** How long an import waits for its file: while the upload URL is valid, and then until it is started. */
const WAITS_MS = 3 * 3_600_000
/** How long the page shows the outcome of the last import. */
const SHOWN_MS = 86_400_000

type Asker = Pick<Maker, 'user_id'>

const underWay = { status: { in: [...IMPORTS_UNDER_WAY] } }

export async function createImport(
  { workspace_id, user_id }: Maker,
  announced: z.output<typeof CreateWorkspaceImport.body>,
  now: Date,
) {
  const file = await db.$transaction(async (tx) => {
    await tx.$queryRaw`SELECT user_id FROM users WHERE user_id = ${user_id}::uuid FOR UPDATE`
    const owned = await tx.member.count({ where: { user_id, role: 'owner' } })
    if (owned >= MAX_OWNED) throw new AppError('workspaces_full')
    if (await tx.workspaceImport.findFirst({ where: { user_id, ...underWay } }))
      throw new AppError('invalid_state', {
        message: 'You already have an import running. Wait until it finishes.',
      })
    await tx.workspaceImport.deleteMany({ where: { user_id, status: 'waiting' } })
    const { import_id } = await tx.workspaceImport.create({
      data: { workspace_id, user_id, ...announced, created_at: now, updated_at: now },
    })
    return announceUpload(tx, { workspace_id, import_id, ...announced }, now)
  })
  const { upload_id: _, ...address } = await uploadAddress(file, now)
  return { import_id: file.import_id ?? '', ...address }
}

/** An import belongs to the person who requested it, whichever workspace they work in. */
async function findOwn({ user_id }: Asker, importId: string) {
  const one = await db.workspaceImport.findFirst({ where: { import_id: importId, user_id } })
  if (!one) throw new AppError('import_not_found')
  return one
}

export const readImport = async (user: Asker, importId: string): Promise<WorkspaceImport> =>
  WorkspaceImport.parse(await findOwn(user, importId))

/** The person's latest import of the last day; one that still waits for its file is not shown, since it is started over. */
export async function latestImport({ user_id }: Asker, now: Date): Promise<WorkspaceImport | null> {
  const latest = await db.workspaceImport.findFirst({
    where: {
      user_id,
      status: { not: 'waiting' },
      created_at: { gt: new Date(now.getTime() - SHOWN_MS) },
    },
    orderBy: { created_at: 'desc' },
  })
  return latest && WorkspaceImport.parse(latest)
}

/** Checks the file's first line, then queues the import. */
export async function startImport(user: Asker, importId: string, now: Date) {
  const { status, workspace_id } = await findOwn(user, importId)
  if (status !== 'waiting') return readImport(user, importId)
  const file = await db.uploadedFile.findFirst({
    where: { import_id: importId, workspace_id, expires_at: { gt: now } },
  })
  if (!file) throw new AppError('upload_not_found')
  const incoming = await openUploaded(file)
  if (!incoming) throw new AppError('upload_missing')
  await checkArchive(incoming.parts)
  await db.$transaction([
    db.workspaceImport.updateMany({
      where: { import_id: importId, workspace_id, status: 'waiting' },
      data: { status: IMPORT_MOVES.start, updated_at: now },
    }),
    db.uploadedFile.updateMany({
      where: { import_id: importId, workspace_id },
      data: { expires_at: new Date(now.getTime() + KEPT_MS) },
    }),
  ])
  await emit(WorkspaceImportRequested.create({ workspace_id, import_id: importId }))
  return readImport(user, importId)
}

/**
 * Runs a queued import. Faults of the file end it as `failed` with the reason; other errors are thrown, and the import is retried. False if
 * there is nothing to do.
 */
export async function runImport(importId: string, now: Date): Promise<boolean> {
  const { count } = await db.workspaceImport.updateMany({
    where: { import_id: importId, ...underWay },
    data: { status: IMPORT_MOVES.begin, read_bytes: 0, updated_at: now },
  })
  if (count === 0) return false
  const one = await db.workspaceImport.findUniqueOrThrow({ where: { import_id: importId } })
  const file = await db.uploadedFile.findUnique({ where: { import_id: importId } })
  const incoming = file && (await openUploaded(file))
  if (!incoming) {
    await failImport(importId, 'The file is gone. Upload it again.', now)
    return true
  }
  try {
    await importWorkspace(one.user_id, watched(importId, incoming.parts), now, (client, imported) =>
      complete(client, importId, imported, now),
    )
  } catch (error) {
    if (!(error instanceof AppError) || !['invalid_state', 'body_too_large'].includes(error.code)) throw error
    await failImport(importId, error.message, now)
  }
  return true
}

/** Passes the parts on, and records how many bytes were read, on another connection. */
async function* watched(importId: string, parts: AsyncIterable<Uint8Array> | Iterable<Uint8Array>) {
  let size = 0
  let told = performance.now()
  const tell = () =>
    db.workspaceImport.updateMany({
      where: { import_id: importId, ...underWay },
      data: { read_bytes: size, updated_at: new Date() },
    })
  for await (const part of parts) {
    size += part.byteLength
    yield part
    if (performance.now() - told < PROGRESS_MS) continue
    await tell()
    told = performance.now()
  }
  await tell()
}

/** Completes an import in the transaction of its rows: if the import was cancelled meanwhile, none are committed. */
async function complete(client: PoolClient, importId: string, imported: Imported, now: Date): Promise<void> {
  const { tables, workspace_id, name, slug, rows, left_out } = imported
  const { rows: paused } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM campaigns WHERE workspace_id = $1 AND paused_reason = 'restored'`,
    [workspace_id],
  )
  const { rows: chats } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM threads WHERE workspace_id = $1 AND channel = 'social'`,
    [workspace_id],
  )
  const result = {
    ...{ workspace_id, name, slug, rows, left_out },
    campaigns: tables.campaigns ?? 0,
    paused_campaigns: paused[0]?.count ?? 0,
    leads: tables.campaign_leads ?? 0,
    mailboxes: tables.mailboxes ?? 0,
    domains: tables.mail_domains ?? 0,
    accounts: tables.connected_accounts ?? 0,
    webhooks: tables.webhooks ?? 0,
    chats: chats[0]?.count ?? 0,
    posts: tables.social_posts ?? 0,
    forms: tables.forms ?? 0,
  }
  const { rowCount } = await client.query(
    `UPDATE workspace_imports SET status = $3::"ImportStatus", result = $2, completed_at = $4, updated_at = $4
     WHERE import_id = $1 AND status = 'running'`,
    [importId, jsonText(result), IMPORT_MOVES.complete, now],
  )
  if (rowCount === 0) throw new AppError('invalid_state', { message: 'The import was undone.' })
  await client.query('DELETE FROM uploaded_files WHERE import_id = $1', [importId])
}

/** Fails an import. Nothing was added; the file is removed, since it would be refused again. */
export async function failImport(importId: string, error: string, now: Date): Promise<void> {
  await db.$transaction([
    db.workspaceImport.updateMany({
      where: { import_id: importId, ...underWay },
      data: { status: IMPORT_MOVES.fail, error: error.slice(0, 1_000), completed_at: now, updated_at: now },
    }),
    db.uploadedFile.deleteMany({ where: { import_id: importId } }),
  ])
}

/** Requests imports again whose event was lost or whose worker died, and removes those that were never started. Returns how many. */
export async function askForStaleWorkspaceImports(now: Date): Promise<number> {
  const created_at = { lt: new Date(now.getTime() - WAITS_MS) }
  await db.workspaceImport.deleteMany({ where: { status: 'waiting', created_at } })
  const stale = await db.workspaceImport.findMany({
    where: { ...underWay, updated_at: { lt: new Date(now.getTime() - STALE_MS) } },
    take: 100,
  })
  for (const { workspace_id, import_id } of stale)
    await emit(WorkspaceImportRequested.create({ workspace_id, import_id }))
  return stale.length
}
