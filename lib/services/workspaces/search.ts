import type { Found } from '#lib/contracts/workspaces/search'
import { pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'

const EACH = 5
/** Only this many recent threads are searched by subject; older ones are found by address. */
const RECENT_THREADS = 2_000

/**
 * Returns a few results of each kind. Leads are found by the beginning of their address, because only that is answered by an index with a
 * hundred thousand leads; named objects are found by any part of their name.
 */
export async function search(workspaceId: string, q: string): Promise<Found> {
  const wanted = q.trim()
  const any = `%${likeText(wanted)}%`
  const beginning = `${likeText(wanted.toLowerCase())}%`
  const [campaigns, leads, datasets, templates, threads, mailboxes] = await Promise.all([
    rows<Found['campaigns'][number]>(
      `SELECT campaign_id, name, status FROM campaigns WHERE workspace_id = $1 AND name ILIKE $2
       ORDER BY created_at DESC, campaign_id DESC LIMIT ${EACH}`,
      [workspaceId, any],
    ),
    wanted === '' ? [] : rows<Found['leads'][number]>(LEADS, [workspaceId, beginning]),
    rows<Found['datasets'][number]>(
      `SELECT dataset_id, dataset_name, row_count FROM datasets WHERE workspace_id = $1 AND dataset_name ILIKE $2
       ORDER BY created_at DESC, dataset_id DESC LIMIT ${EACH}`,
      [workspaceId, any],
    ),
    rows<Found['templates'][number]>(
      `SELECT template_id, name FROM usable_templates WHERE workspace_id = $1 AND name ILIKE $2
       ORDER BY created_at DESC, template_id DESC LIMIT ${EACH}`,
      [workspaceId, any],
    ),
    rows<Found['threads'][number]>(THREADS, [workspaceId, any, beginning]),
    rows<Found['mailboxes'][number]>(
      `SELECT mailbox_id, address, name FROM mailboxes WHERE workspace_id = $1 AND (address ILIKE $2 OR name ILIKE $2)
       ORDER BY created_at DESC, mailbox_id DESC LIMIT ${EACH}`,
      [workspaceId, any],
    ),
  ])
  return { campaigns, leads, datasets, templates, threads, mailboxes }
}

const LEADS = `SELECT l.campaign_lead_id, l.campaign_id, c.name AS campaign_name, l.email, l.status::text AS status
  FROM (SELECT campaign_lead_id, campaign_id, email, status FROM campaign_leads
    WHERE workspace_id = $1 AND email LIKE $2 LIMIT ${EACH}) l
  JOIN campaigns c USING (campaign_id) ORDER BY l.email, l.campaign_lead_id`

const THREADS = `SELECT thread_id, counterpart_address, subject FROM (
    (SELECT thread_id, counterpart_address, subject, last_message_at FROM (
       SELECT * FROM threads WHERE workspace_id = $1 ORDER BY last_message_at DESC, thread_id DESC LIMIT ${RECENT_THREADS}) recent
     WHERE subject ILIKE $2 OR counterpart_name ILIKE $2 OR counterpart_address ILIKE $2
     ORDER BY last_message_at DESC, thread_id DESC LIMIT ${EACH})
    UNION
    (SELECT thread_id, counterpart_address, subject, last_message_at FROM threads
     WHERE workspace_id = $1 AND counterpart_address LIKE $3 LIMIT ${EACH})
  ) found ORDER BY last_message_at DESC, thread_id DESC LIMIT ${EACH}`

async function rows<R extends object>(text: string, values: unknown[]): Promise<R[]> {
  return (await pool().query<R>(text, values)).rows
}
