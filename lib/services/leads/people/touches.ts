import { MAX_TOUCHES } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'
import { type Who, withName } from '#lib/domain/leads/person-name'

type Touch = {
  at: Date
  kind: string
  channel: string | null
  action_type: string | null
  step: number | null
  subject: string | null
  text: string | null
  campaign_id: string
  campaign_name: string
  campaign_lead_id: string
  thread_id: string | null
  person_id: string
}

/** Each source contributes only its newest entries, so that many of one kind do not slow down the others. */
const newest = (columns: string, source: string) =>
  `(SELECT ${columns}, o.campaign_id, o.campaign_lead_id, o.person_id FROM own o ${source} ORDER BY 1 DESC LIMIT ${MAX_TOUCHES})`

/** SQL: the history of the people that `which` selects. */
const touches = (which: string) => `WITH own AS (
    SELECT l.campaign_lead_id, l.campaign_id, l.person_id, l.status, l.last_event, l.last_event_at FROM campaign_leads l
    WHERE l.workspace_id = $1 AND l.person_id ${which})
  SELECT t.*, left(t.whole_text, 500) AS text, c.name AS campaign_name FROM (
    ${newest(
      `a.performed_at AS at, 'sent' AS kind, a.channel, a.action_type, a.step, a.subject, a.body AS whole_text, NULL::uuid AS thread_id`,
      `JOIN actions a ON a.campaign_lead_id = o.campaign_lead_id AND a.workspace_id = $1 WHERE a.status = 'sent'`,
    )}
    UNION ALL ${newest(
      `m.at, m.kind, h.channel, NULL, NULL, m.subject, m.text, h.thread_id`,
      `JOIN threads h ON h.campaign_lead_id = o.campaign_lead_id AND h.workspace_id = $1
       JOIN inbox_messages m ON m.thread_id = h.thread_id AND m.workspace_id = $1
       WHERE m.kind IN ('reply', 'automatic_reply', 'answer')`,
    )}
    UNION ALL ${newest(
      `e.first_at, e.kind::text, 'email', NULL, e.step, NULL, e.url, NULL`,
      `JOIN tracking_events e ON e.campaign_lead_id = o.campaign_lead_id AND e.workspace_id = $1 WHERE e.class = 'human'`,
    )}
    UNION ALL ${newest(
      `o.last_event_at, o.last_event::text, 'email', NULL, NULL, NULL, NULL, NULL`,
      `WHERE o.last_event_at IS NOT NULL AND o.last_event IN ('bounced', 'unsubscribed', 'complaint')`,
    )}
  ) t JOIN campaigns c ON c.campaign_id = t.campaign_id AND c.workspace_id = $1
  ORDER BY t.at DESC, t.campaign_lead_id LIMIT ${MAX_TOUCHES}`

/**
 * The history between the workspace and these identities of one person, over all campaigns and channels,
 * newest first.
 */
export async function personTouches(workspaceId: string, personIds: string[]): Promise<Touch[]> {
  const { rows } = await pool().query<Touch>(touches('= ANY ($2::uuid[])'), [workspaceId, personIds])
  return rows
}

/** Of a company with more people, only those added most recently. */
const MOST_PEOPLE = 1_000

/** The same for the people of one company, each entry with its person. */
export async function companyTouches(workspaceId: string, companyId: string) {
  const { rows } = await pool().query<Touch & Who>(
    `SELECT t.at, t.kind, t.channel, t.action_type, t.step, t.subject, t.text, t.campaign_id, t.campaign_name, t.campaign_lead_id,
       t.thread_id, coalesce(p.merged_into_id, p.person_id) AS person_id, ${WHO}
     FROM (${touches(`IN (SELECT person_id FROM people WHERE workspace_id = $1 AND company_id = $2
       ORDER BY person_id DESC LIMIT ${MOST_PEOPLE})`)}) t
       JOIN people p ON p.person_id = t.person_id AND p.workspace_id = $1
       LEFT JOIN people m ON m.person_id = p.merged_into_id AND m.workspace_id = $1
     ORDER BY t.at DESC, t.campaign_lead_id`,
    [workspaceId, companyId],
  )
  return rows.map((row) => withName(row))
}

/** SQL: the identity of person `p`, who may have been merged into `m`. */
export const WHO = `CASE WHEN m.person_id IS NULL THEN p.email ELSE m.email END AS email,
  CASE WHEN m.person_id IS NULL THEN p.profile ELSE m.profile END AS profile,
  CASE WHEN m.person_id IS NULL THEN p.first_name ELSE m.first_name END AS first_name,
  CASE WHEN m.person_id IS NULL THEN p.last_name ELSE m.last_name END AS last_name`
