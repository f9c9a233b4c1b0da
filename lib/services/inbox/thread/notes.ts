import type { z } from 'zod'
import type { InboxNote, ListInboxNotes } from '#lib/contracts/inbox/inbox-notes'
import { db } from '#lib/db/client'
import type { Prisma } from '#lib/db/generated/client'
import { rowsOfPage } from '#lib/db/page'
import { toStatements } from '#lib/db/statements'
import { mentionedIn } from '#lib/domain/inbox/mentions'
import type { Maker } from '#lib/domain/workspaces/maker'
import { deletesNote, NOTED_ROLES, type Role } from '#lib/domain/workspaces/roles'
import { AppError } from '#lib/errors'
import { type Colleague, listColleagues } from '#lib/services/inbox/thread/assignment'
import { tell } from '#lib/services/telling/tell'

type Shown = Omit<InboxNote, 'created_at'> & { created_at: Date }
type Row = Prisma.InboxNoteGetPayload<{ include: { user: true } }>

/** Everybody who can see notes, and so can be mentioned in one. */
export const listMentionable = (workspaceId: string): Promise<Colleague[]> =>
  listColleagues(workspaceId, NOTED_ROLES)

function toNote({ user, mentioned_ids, ...row }: Row, people: Map<string, string>): Shown {
  return {
    ...row,
    author_name: user && (user.name || user.email),
    mentions: mentioned_ids.flatMap((user_id) => {
      const name = people.get(user_id)
      return name === undefined ? [] : [{ user_id, name }]
    }),
  }
}

const toNames = (people: Colleague[]) => new Map(people.map(({ user_id, name }) => [user_id, name]))

export async function listInboxNotes(
  workspaceId: string,
  threadId: string,
  { page, page_size }: z.output<typeof ListInboxNotes.query>,
) {
  const where = { workspace_id: workspaceId, thread_id: threadId }
  if ((await db.thread.count({ where })) === 0) throw new AppError('thread_not_found')
  const [rows, total, people] = await Promise.all([
    db.inboxNote.findMany({
      where,
      include: { user: true },
      orderBy: [{ created_at: 'desc' }, { note_id: 'desc' }],
      ...rowsOfPage({ page, page_size }),
    }),
    db.inboxNote.count({ where }),
    listMentionable(workspaceId),
  ])
  const names = toNames(people)
  return { items: rows.map((row) => toNote(row, names)), total, page, page_size }
}

/** Counts notes in the conversation's row, so that open pages notice a change. */
const countNote = (
  tx: Prisma.TransactionClient,
  where: { workspace_id: string; thread_id: string },
  increment: number,
) => tx.thread.updateManyAndReturn({ where, data: { note_count: { increment } } })

export async function createInboxNote(
  user: Maker,
  threadId: string,
  text: string,
  now: Date,
): Promise<Shown> {
  const { workspace_id, user_id } = user
  const people = await listMentionable(workspace_id)
  const mentioned_ids = mentionedIn(text, people)
  return db.$transaction(async (tx) => {
    const [thread] = await countNote(tx, { workspace_id, thread_id: threadId }, 1)
    if (!thread) throw new AppError('thread_not_found')
    const row = await tx.inboxNote.create({
      data: { workspace_id, thread_id: threadId, user_id, text, mentioned_ids, created_at: now },
      include: { user: true },
    })
    const note = toNote(row, toNames(people))
    const about = {
      workspace_id,
      kind: 'mentioned' as const,
      ...(thread.campaign_id && { campaign_id: thread.campaign_id }),
      ...(thread.campaign_lead_id && { campaign_lead_id: thread.campaign_lead_id }),
      data: { thread_id: threadId, email: thread.counterpart_address || null, by: note.author_name },
    }
    const others = mentioned_ids.filter((id) => id !== user_id)
    await tell(
      toStatements(tx),
      [],
      others.map((id) => ({ ...about, user_id: id })),
    )
    return note
  })
}

/** Allowed for its author and for admins. */
export async function deleteInboxNote(
  user: Maker & { role: Role },
  { thread_id, note_id }: { thread_id: string; note_id: string },
): Promise<void> {
  const { workspace_id } = user
  const where = { workspace_id, thread_id, note_id }
  const note = await db.inboxNote.findFirst({ where })
  if (!note) throw new AppError('note_not_found')
  if (!deletesNote(user, note.user_id))
    throw new AppError('role_insufficient', {
      message: 'Ask an admin. As a member, you can delete only your own notes.',
    })
  await db.$transaction(async (tx) => {
    const { count: deleted } = await tx.inboxNote.deleteMany({ where })
    if (deleted > 0) await countNote(tx, { workspace_id, thread_id }, -1)
  })
}
