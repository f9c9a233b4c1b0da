import type { InboxFolder } from '#lib/contracts/inbox/inbox'
import { pool } from '#lib/db/client'
import { AWAITS_ANSWER, isOpenAt } from '#lib/services/campaigns/reports/awaited-answers'

const OPEN = isOpenAt('$2')

/** SQL per folder: which `threads t` it holds at `$2`. Computed when asked, so snoozing ends without any write. */
export const FOLDERS: Record<InboxFolder, string> = {
  open: OPEN,
  unread: `${OPEN} AND t.unread`,
  needs_answer: `${OPEN} AND ${AWAITS_ANSWER}`,
  snoozed: `t.status = 'open' AND t.snoozed_until > $2`,
  done: `t.status = 'done' AND $2::timestamptz IS NOT NULL`,
  sent: `$2::timestamptz IS NOT NULL
    AND EXISTS (SELECT 1 FROM inbox_messages o WHERE o.thread_id = t.thread_id AND o.direction = 'out')`,
  all: `$2::timestamptz IS NOT NULL`,
}

export type FolderCounts = Record<'unread' | 'needs_answer' | 'snoozed', number>

/** Counts of the folders in which something waits for somebody; the others show none. */
export async function countFolders(workspaceId: string, now: Date): Promise<FolderCounts> {
  const { rows } = await pool().query<FolderCounts>(
    `SELECT count(*) FILTER (WHERE ${FOLDERS.unread})::int AS unread,
       count(*) FILTER (WHERE ${FOLDERS.needs_answer})::int AS needs_answer,
       count(*) FILTER (WHERE ${FOLDERS.snoozed})::int AS snoozed
     FROM threads t WHERE t.workspace_id = $1 AND t.status = 'open'`,
    [workspaceId, now],
  )
  return rows[0] ?? { unread: 0, needs_answer: 0, snoozed: 0 }
}

export type InboxSender = { kind: 'mailbox_id' | 'connected_account_id'; id: string; name: string }

/** The owner's mailboxes and accounts, as filters of the inbox. */
export async function inboxSenders(workspaceId: string): Promise<InboxSender[]> {
  const { rows } = await pool().query<InboxSender>(
    `SELECT 'mailbox_id' AS kind, mailbox_id AS id, address AS name FROM mailboxes WHERE workspace_id = $1
     UNION ALL SELECT 'connected_account_id', account_id, coalesce(name, provider) FROM connected_accounts WHERE workspace_id = $1
     ORDER BY 1 DESC, 3 LIMIT 200`,
    [workspaceId],
  )
  return rows
}
