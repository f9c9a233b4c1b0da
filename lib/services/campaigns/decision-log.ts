import type { InputJsonObject } from '#lib/db/json'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'

/** An entry of the decision log about a campaign, or about one of its leads (then with `campaign_lead_id`). */
export type CampaignLogKind =
  | 'launched'
  | 'launch_scheduled'
  | 'launch_cancelled'
  | 'launch_failed'
  | 'paused'
  | 'resumed'
  | 'edited'
  | 'reopened'
  | 'weights_shifted'
  | 'opened_once'
  | 'ramp_held'
export type LeadLogKind =
  | 'retry'
  | 'replied'
  | 'company_replied'
  | 'replied_elsewhere'
  | 'has_left'
  | 'automatic_reply'
  | 'bounced'
  | 'soft_bounced'
  | 'complained'
  | 'unsubscribed'
  | 'resubscribed'
  | 'suppressed'
  | 'held'
  | 'put_off'
  | 'hold_set'
  | 'hold_lifted'
  | 'branched'
  | 'sender_changed'
  | 'resolved_sent'
  | 'resolved_not_sent'
  | 'stopped'
  | 'taken_back'
  | 'failed'
  | 'tried_again'

type Facts = {
  campaign_lead_id?: string
  step?: number | null
  channel?: string | null
  /** The reason, for people. */
  reason?: string | null
  detail?: InputJsonObject
}

/**
 * Writes one entry of the decision log, in the same transaction as the change it reports. Only for facts that neither the ledger nor the
 * lead records; sends, for example, are rows of `actions`.
 */
export const logged = (
  { campaign_id, workspace_id }: { campaign_id: string; workspace_id: string },
  kind: CampaignLogKind | LeadLogKind,
  at: Date,
  { detail = {}, ...facts }: Facts = {},
) => ({ campaign_id, workspace_id, kind, at, detail, ...facts })

export type Logged = ReturnType<typeof logged>

/** The same for services that use SQL: many entries in one statement. */
export async function writeLog(client: Statements, events: Logged[]): Promise<void> {
  if (events.length === 0) return
  const column = <T>(pick: (event: Logged) => T) => events.map(pick)
  await client.query(
    prepared(
      `INSERT INTO campaign_events (campaign_id, workspace_id, campaign_lead_id, at, kind, step, channel, reason, detail)
       SELECT * FROM unnest($1::uuid[], $2::uuid[], $3::uuid[], $4::timestamptz[], $5::text[], $6::int[], $7::text[],
         $8::text[], $9::jsonb[])`,
      [
        column((event) => event.campaign_id),
        column((event) => event.workspace_id),
        column((event) => event.campaign_lead_id ?? null),
        column((event) => event.at),
        column((event) => event.kind),
        column((event) => event.step ?? null),
        column((event) => event.channel ?? null),
        column((event) => event.reason ?? null),
        column((event) => jsonText(event.detail)),
      ],
    ),
  )
}
