import { MAX_TOUCHES } from '#lib/contracts/leads/people'
import { pool } from '#lib/db/client'

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
}

/** Each source gives its newest only, so that much of one kind does not make the others slow. */
const newest = (columns: string, source: string) =>
  `(SELECT ${columns}, o.campaign_id, o.campaign_lead_id FROM own o ${source} ORDER BY 1 DESC LIMIT ${MAX_TOUCHES})`

const TOUCHES = `WITH own AS (
    SELECT l.campaign_lead_id, l.campaign_id, l.status, l.last_event, l.last_event_at FROM campaign_leads l
    WHERE l.workspace_id = $1 AND l.person_id = ANY ($2::uuid[]))
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

/** What passed between these identities of one person and the workspace, in all campaigns and channels, newest first. */
export async function personTouches(workspaceId: string, personIds: string[]): Promise<Touch[]> {
  const { rows } = await pool().query<Touch>(TOUCHES, [workspaceId, personIds])
  return rows
}
