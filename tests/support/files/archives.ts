import { pool } from '#lib/db/client'
import { suppress } from '#lib/services/leads/endings'
import { exportEverything } from '#lib/services/workspaces/archive/account-export'
import { ARCHIVE_TABLES } from '#lib/services/workspaces/archive/tables'
import { aTemplate, aThread } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY, minutes } from '#tests/support/scenes/launched'

export type ArchiveLine = Record<string, unknown> & { table?: string; row?: Record<string, unknown> }
type Person = { workspace_id: string; user_id: string }

/** The export of a workspace, line by line. */
export async function archive(owner: Person): Promise<ArchiveLine[]> {
  const { parts } = await exportEverything(owner, MONDAY)
  let text = ''
  for await (const part of parts) text += Buffer.from(part).toString('utf8')
  return readArchiveText(text)
}

export const readArchiveText = (text: string): ArchiveLine[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

export const archiveText = (lines: unknown[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

/** In small chunks, as a file arrives over the network. */
export async function* archiveBytes(lines: unknown[], size = 1_000) {
  const all = Buffer.from(archiveText(lines))
  for (let at = 0; at < all.length; at += size) yield new Uint8Array(all.subarray(at, at + size))
}

/** Removes the workspace, so that this instance is like one that never had it. */
export async function eraseWorkspace({ workspace_id }: Person): Promise<void> {
  const mine = '(SELECT mailbox_id FROM mailboxes WHERE workspace_id = $1)'
  await pool().query(`DELETE FROM sender_days WHERE sender_id IN ${mine}`, [workspace_id])
  for (const table of ['campaigns', 'workspaces'])
    await pool().query(`DELETE FROM ${table} WHERE workspace_id = $1`, [workspace_id])
}

/** Columns that an import changes: the ids of users and accounts, and the state of the moment. */
const CHANGED =
  /^(user_id|provider_account_id|reject_id|assignee_id|failing_.*|next_try_at|last_error|inbox_due_at|next_slot_at|paused_.*|launch_job_id)$/
const NAMES = new Set(ARCHIVE_TABLES.map(({ name }) => name))

/** Tables whose rows an import brings in unproved: see tests/jobs/workspaces/imported-settings. */
const UNPROVED = new Set(['mail_domains', 'connected_accounts', 'webhooks'])

/** The rows that an import brings in unchanged, each as a text to compare. */
export const archivedRows = (lines: ArchiveLine[]) =>
  lines
    .filter(({ table = '' }) => NAMES.has(table) && !UNPROVED.has(table))
    .map(({ table, row = {} }) => {
      const same = Object.entries(row).filter(([key]) => !CHANGED.test(key))
      const state = table === 'mailboxes' || table === 'campaigns' ? { status: null } : {}
      return JSON.stringify([table, { ...Object.fromEntries(same), ...state }])
    })
    .sort()

/** A workspace with a running campaign, a conversation, a template and a suppression. */
export async function aBusyWorkspace() {
  const scene = await launched({}, 4)
  await dispatchAt(minutes(1))
  await aTemplate(scene.owner)
  await aThread(scene.owner)
  const entry = {
    workspace_id: scene.owner.workspace_id,
    values: ['gone@acme.example'],
    reason: 'unsubscribe',
  }
  await suppress(pool(), { ...entry, status: 'unsubscribed' }, minutes(2))
  return scene
}
