import type { z } from 'zod'
import type { Notification } from '#lib/contracts/telling/notifications'
import type { EVENTS, EventType } from '#lib/contracts/telling/webhook-events'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'

/** A webhook event, by the contract of its type. */
export type Told = {
  [Type in EventType]: {
    type: Type
    workspace_id: string
    at: Date
    data: z.input<(typeof EVENTS)[Type]['data']>
  }
}[EventType]

/** A notification. */
export type Notice = {
  workspace_id: string
  /** Its recipient; absent: every member. */
  user_id?: string
  kind: Notification['kind']
  campaign_id?: string
  campaign_lead_id?: string
  mailbox_id?: string
  data: {
    name?: string | null
    address?: string
    email?: string | null
    subject?: string | null
    reason?: string | null
    account_id?: string
    webhook_id?: string
    post_id?: string
    /** The person who caused it, if any. */
    by?: string | null
    thread_id?: string
    /** When the thing it is about began. */
    since?: string
  }
}

/**
 * Records events and notifications in the transaction of the change they report: both commit or neither does. Events that no webhook
 * subscribes to are not stored, and one-time events (an open, an acceptance, a limit) are stored once. Returns how many events are stored.
 */
export async function tell(client: Statements, events: Told[], notices: Notice[] = []): Promise<number> {
  const kept = events.length > 0 ? await keepEvents(client, events) : 0
  if (notices.length > 0)
    await client.query(
      prepared(
        `INSERT INTO notifications (workspace_id, kind, campaign_id, campaign_lead_id, mailbox_id, data, user_id)
         SELECT * FROM unnest($1::uuid[], $2::text[], $3::uuid[], $4::uuid[], $5::uuid[], $6::jsonb[], $7::uuid[])`,
        [
          notices.map((notice) => notice.workspace_id),
          notices.map((notice) => notice.kind),
          notices.map((notice) => notice.campaign_id ?? null),
          notices.map((notice) => notice.campaign_lead_id ?? null),
          notices.map((notice) => notice.mailbox_id ?? null),
          notices.map((notice) => jsonText(notice.data)),
          notices.map((notice) => notice.user_id ?? null),
        ],
      ),
    )
  return kept
}

async function keepEvents(client: Statements, events: Told[]): Promise<number> {
  const { rows } = await client.query(
    prepared(
      `INSERT INTO webhook_events (workspace_id, type, at, data)
       SELECT e.workspace_id, e.type, e.at, e.data
       FROM unnest($1::uuid[], $2::text[], $3::timestamptz[], $4::jsonb[]) WITH ORDINALITY e (workspace_id, type, at, data, place)
       WHERE (e.workspace_id, e.type) IN (SELECT w.workspace_id, asked FROM webhooks w, unnest(w.event_types) asked
         WHERE w.enabled AND w.workspace_id = ANY ($1))
       ORDER BY e.place ON CONFLICT DO NOTHING RETURNING true`,
      [
        events.map((event) => event.workspace_id),
        events.map((event) => event.type),
        events.map((event) => event.at),
        events.map((event) => jsonText(event.data)),
      ],
    ),
  )
  return rows.length
}
