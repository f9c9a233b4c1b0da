import type { z } from 'zod'
import { type CreateInboxDraft, InboxDraft, type UpdateInboxDraft } from '#lib/contracts/inbox/inbox-drafts'
import type { AttachedFile } from '#lib/contracts/messages/attachments'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import type { ThreadModel } from '#lib/db/generated/models'
import { toStatements } from '#lib/db/statements'
import { uuidv7 } from '#lib/db/uuid'
import type { Maker } from '#lib/domain/workspaces/maker'
import { AppError, invalid } from '#lib/errors'
import { lockThread, requireSeen } from '#lib/services/inbox/thread/collision'
import { allowedCopies } from '#lib/services/inbox/written/copies'
import { edit } from '#lib/services/instance/versioned-edit'
import { findAttached, nameAttachments } from '#lib/services/messages/attached/attachments'

const MOST = 50
const MAX_CHAT = 8_000
const YEAR_MS = 366 * 86_400_000

type Row = Prisma.InboxDraftGetPayload<{ include: { user: true } }>
export type Draft = Omit<Row, 'user' | 'workspace_id' | 'attachment_ids'> & {
  author_name: string | null
  attachments: AttachedFile[]
}
type Named = { thread_id: string; draft_id: string }

async function toDrafts(workspaceId: string, rows: Row[]): Promise<Draft[]> {
  const files = await findAttached(
    workspaceId,
    rows.flatMap(({ attachment_ids }) => attachment_ids),
  )
  return rows.map(({ user, attachment_ids, ...row }) => ({
    ...row,
    author_name: user && (user.name || user.email),
    attachments: attachment_ids.flatMap((id) => files.get(id) ?? []),
  }))
}

async function findThread(workspaceId: string, threadId: string): Promise<ThreadModel> {
  const thread = await db.thread.findFirst({ where: { thread_id: threadId, workspace_id: workspaceId } })
  if (!thread) throw new AppError('thread_not_found')
  return thread
}

export function requireFitting({ channel }: { channel: string }, text: string): void {
  if (channel === 'social' && text.length > MAX_CHAT)
    throw invalid(['body', 'text'], `a chat takes at most ${MAX_CHAT} characters`)
}

export function refuseFilesInChat(
  { channel }: { channel: string },
  attachmentIds: string[] | undefined,
): void {
  if (channel === 'social' && attachmentIds?.length)
    throw invalid(['body', 'attachment_ids'], 'a chat takes no files')
}

export function requireSoon(sendAt: Date, now: Date): void {
  if (sendAt.getTime() > now.getTime() + YEAR_MS)
    throw invalid(['body', 'send_at'], 'must be within a year from now')
}

export async function readInboxDrafts(workspaceId: string, threadId: string): Promise<Draft[]> {
  await findThread(workspaceId, threadId)
  const rows = await db.inboxDraft.findMany({
    where: { workspace_id: workspaceId, thread_id: threadId },
    include: { user: true },
    orderBy: [{ created_at: 'asc' }, { draft_id: 'asc' }],
  })
  return toDrafts(workspaceId, rows)
}

async function findDraft(workspaceId: string, draftId: string): Promise<Draft> {
  const row = await db.inboxDraft.findFirst({
    where: { draft_id: draftId, workspace_id: workspaceId },
    include: { user: true },
  })
  const [draft] = await toDrafts(workspaceId, row ? [row] : [])
  if (!draft) throw new AppError('draft_not_found')
  return draft
}

export async function createInboxDraft(
  user: Maker,
  threadId: string,
  { text, last_message_id = null, cc, bcc, attachment_ids = [] }: z.output<typeof CreateInboxDraft.body>,
  now: Date,
): Promise<Draft> {
  const { workspace_id } = user
  const thread = await findThread(workspace_id, threadId)
  requireFitting(thread, text)
  refuseFilesInChat(thread, attachment_ids)
  const copies = await allowedCopies(thread, { cc, bcc })
  const said = { text, ...copies, attachment_ids }
  const data = { thread_id: threadId, ...said, last_message_id, send_at: null, stopped: null }
  const draft_id = await db.$transaction((tx) => keepDraft(tx, user, data, now))
  return findDraft(workspace_id, draft_id)
}

type Kept = Pick<
  Row,
  'thread_id' | 'text' | 'cc' | 'bcc' | 'attachment_ids' | 'last_message_id' | 'send_at' | 'stopped'
>

/** Stores a draft. Locks the conversation, so that concurrent calls cannot exceed its limit. */
export async function keepDraft(
  tx: Prisma.TransactionClient,
  { workspace_id, user_id }: { workspace_id: string; user_id: string | null },
  data: Kept,
  now: Date,
): Promise<string> {
  await lockThread(toStatements(tx), data.thread_id)
  if ((await tx.inboxDraft.count({ where: { thread_id: data.thread_id } })) >= MOST)
    throw new AppError('too_many_drafts')
  await nameAttachments(tx, workspace_id, data.attachment_ids, now)
  const made = { draft_id: uuidv7(now), workspace_id, user_id, created_at: now, updated_at: now }
  return (await tx.inboxDraft.create({ data: { ...data, ...made } })).draft_id
}

export async function updateInboxDraft(
  { workspace_id }: Maker,
  { thread_id, draft_id }: Named,
  {
    text,
    cc,
    bcc,
    attachment_ids,
    send_at,
    last_message_id,
    version,
  }: z.output<typeof UpdateInboxDraft.body>,
  now: Date,
): Promise<Draft> {
  const thread = await findThread(workspace_id, thread_id)
  if (text !== undefined) requireFitting(thread, text)
  refuseFilesInChat(thread, attachment_ids)
  if (send_at) requireSoon(send_at, now)
  await allowedCopies(thread, { cc, bcc })
  const data = {
    updated_at: now,
    ...(cc && { cc }),
    ...(bcc && { bcc }),
    ...(attachment_ids && { attachment_ids }),
    ...(text === undefined ? {} : { text }),
    ...(last_message_id === undefined ? {} : { last_message_id }),
    ...(send_at === undefined ? {} : { send_at, stopped: null }),
  }
  await edit({
    table: 'inbox_drafts',
    key: { draft_id, thread_id, workspace_id },
    version,
    missing: 'draft_not_found',
    current: async () => InboxDraft.parse(await findDraft(workspace_id, draft_id)),
    async first(tx) {
      const client = toStatements(tx)
      await lockThread(client, thread_id)
      await nameAttachments(tx, workspace_id, attachment_ids ?? [], now)
      if (send_at) await requireSeen(client, thread_id, last_message_id, now, draft_id)
    },
    write: (tx) => tx.inboxDraft.update({ where: { draft_id, thread_id, workspace_id }, data }),
  })
  return findDraft(workspace_id, draft_id)
}

export async function deleteInboxDraft(
  { workspace_id }: Maker,
  { thread_id, draft_id }: Named,
): Promise<void> {
  await findThread(workspace_id, thread_id)
  const { count } = await db.inboxDraft.deleteMany({ where: { draft_id, thread_id, workspace_id } })
  if (count === 0) throw new AppError('draft_not_found')
}
