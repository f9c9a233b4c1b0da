import type { ClientBase } from 'pg'
import { listTables } from '#lib/db/backup'
import { RestoreRefused, requireAlone } from '#lib/db/restore'
import { pauseRestored } from '#lib/services/campaigns/state'
import { holdRestoredAnswers } from '#lib/services/inbox/planned/restored'
import { holdRestoredConfirmations } from '#lib/services/leads/forms/confirmation-round'
import { holdRestoredPosts } from '#lib/services/posts/state'
import { passRestoredAnalytics } from '#lib/services/telling/analytics-emails'

/**
 * Keeps a restored database from sending anything to people outside by itself. `columns` ("table.column") are those of the
 * backup's version. Not held: webhook deliveries, which a receiver recognizes by the id of their event; digests to members,
 * better seen twice than never; and work that only reads, checks or recomputes.
 */
export async function holdRestored(client: ClientBase, columns: ReadonlySet<string>): Promise<number> {
  if (columns.has('social_posts.status')) await holdRestoredPosts(client)
  if (columns.has('inbox_drafts.send_at')) await holdRestoredAnswers(client)
  if (columns.has('form_entries.mail_due_at')) await holdRestoredConfirmations(client)
  if (columns.has('notification_preferences.analytics_due_at')) await passRestoredAnalytics(client)
  return pauseRestored(client)
}

/** The same for a database restored by other means: pg_dump, a disk snapshot, a copy of its folder. */
export async function holdBroughtBack(client: ClientBase): Promise<number> {
  await client.query('BEGIN')
  try {
    await requireAlone(client)
    const tables = await listTables(client)
    if (tables.length === 0)
      throw new RestoreRefused('The database is empty: it holds nothing that would be sent.')
    const columns = tables.flatMap((table) => table.columns.map((column) => `${table.name}.${column}`))
    const paused = await holdRestored(client, new Set(columns))
    await client.query('COMMIT')
    return paused
  } catch (error) {
    await client.query('ROLLBACK').catch(() => undefined)
    throw error
  }
}
