import type { ClientBase } from 'pg'
import { listTables } from '#lib/db/backup'
import { RestoreRefused, requireAlone } from '#lib/db/restore'
import { pauseRestored } from '#lib/services/campaigns/state'
import { holdRestoredAnswers } from '#lib/services/inbox/planned/restored'
import { holdRestoredConfirmations } from '#lib/services/leads/forms/confirmation-round'
import { holdRestoredPosts } from '#lib/services/posts/state'
import { passRestoredAnalytics } from '#lib/services/telling/analytics-emails'

/**
 * Nothing leaves for people outside by itself from a database that was brought back to a backup. `columns` ("table.column") are
 * those of the backup's version. Left as they are: webhook deliveries, which a receiver knows by the id of their event; digests
 * to members, rather seen twice than never; and what is only read, checked or written anew here.
 */
export async function holdRestored(client: ClientBase, columns: ReadonlySet<string>): Promise<number> {
  if (columns.has('social_posts.status')) await holdRestoredPosts(client)
  if (columns.has('inbox_drafts.send_at')) await holdRestoredAnswers(client)
  if (columns.has('form_entries.mail_due_at')) await holdRestoredConfirmations(client)
  if (columns.has('notification_preferences.analytics_due_at')) await passRestoredAnalytics(client)
  return pauseRestored(client)
}

/** The same in a database that was brought back by other means: pg_dump, a snapshot of its disk, a copy of its folder. */
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
