import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { inTransaction } from '#lib/db/transaction'
import { providerInWords, type RecipientProvider } from '#lib/domain/domains/recipient-provider'
import {
  COOL_DOWN_MS,
  PROVIDER_WINDOW_MS,
  type ProviderCounts,
  pauseInWords,
  providerPauseCause,
} from '#lib/domain/sending/provider-pause'
import { type Notice, tell } from '#lib/services/telling/tell'

type Counted = ProviderCounts & { mailbox_id: string; provider: RecipientProvider; replied: number }

/** Joined through campaigns, as the ledger is indexed. $1 is the workspace, $2 the mailboxes, $3 the start of the period. */
const OWN = `FROM campaigns c JOIN actions a ON a.campaign_id = c.campaign_id AND a.performed_at >= $3
  JOIN campaign_leads l ON l.campaign_lead_id = a.campaign_lead_id
  WHERE c.workspace_id = $1 AND a.mailbox_id = ANY ($2)`
export const HAPPENED_TO_MAILS = `
  SELECT a.mailbox_id, l.email, a.performed_at AS at,
    CASE WHEN a.status = 'failed' THEN 'refused' ELSE 'sent' END AS what ${OWN}
    AND (a.status IN ('sent', 'uncertain') OR a.status = 'failed' AND a.outcome = 'refused_for_good')
  UNION ALL
  SELECT a.mailbox_id, l.email, e.at, 'deferred' FROM campaigns c
    JOIN campaign_events e ON e.campaign_id = c.campaign_id AND e.at >= $3 AND e.kind = 'retry'
    JOIN actions a ON a.campaign_lead_id = e.campaign_lead_id AND a.step = e.step
    JOIN campaign_leads l ON l.campaign_lead_id = a.campaign_lead_id
  WHERE c.workspace_id = $1 AND a.mailbox_id = ANY ($2) AND e.detail ->> 'outcome' = 'refused_for_now'
  UNION ALL
  SELECT a.mailbox_id, l.email, i.received_at,
    CASE i.kind WHEN 'hard_bounce' THEN 'bounced' WHEN 'soft_bounce' THEN 'deferred' WHEN 'complaint' THEN 'complained'
      ELSE 'replied' END
  FROM inbound_messages i JOIN actions a USING (action_id)
    JOIN campaign_leads l ON l.campaign_lead_id = a.campaign_lead_id
  WHERE i.workspace_id = $1 AND i.received_at >= $3 AND a.mailbox_id = ANY ($2)
    AND i.kind IN ('hard_bounce', 'soft_bounce', 'complaint', 'reply')`

/** SQL that counts how often `what` happened among rows `h`; `also` lists other names for it, such as a refusal at once for a bounce. */
export const countSql = (what: string, also: string[] = []): string =>
  `count(*) FILTER (WHERE h.what IN (${[what, ...also].map((one) => `'${one}'`).join(', ')}))::int AS ${what}`

type Asked = { workspace_id: string; mailbox_ids: string[]; since: Date }

/**
 * Outcomes of the mails of some mailboxes, by the recipients' provider. `anew` leaves out what happened before the end of the last pause.
 */
export async function providerCounts(
  client: Pool | PoolClient,
  { workspace_id, mailbox_ids, since }: Asked,
  anew = false,
): Promise<Counted[]> {
  const { rows } = await client.query<Counted>(
    `SELECT h.mailbox_id, coalesce(r.provider, 'other') AS provider, ${countSql('sent')},
       ${countSql('bounced', ['refused'])}, ${countSql('deferred')}, ${countSql('complained')}, ${countSql('replied')}
     FROM (${HAPPENED_TO_MAILS}) h LEFT JOIN recipient_domains r ON r.domain = split_part(h.email, '@', 2)
       ${
         anew
           ? `LEFT JOIN provider_pauses p ON p.workspace_id = $1 AND p.mailbox_id = h.mailbox_id
                AND p.provider = coalesce(r.provider, 'other') WHERE p.until IS NULL OR h.at >= p.until`
           : ''
       } GROUP BY 1, 2 ORDER BY 1, 2`,
    [workspace_id, mailbox_ids, since],
  )
  return rows
}

/** Counting reads a few days of the ledger, so a mailbox is judged at most this often. */
const PAUSE_BETWEEN_MS = 10_000

/**
 * Pauses the providers that refuse or defer too many mails of these mailboxes: a paused provider gets no mail from the mailbox until the
 * pause is over. To be called after the commit that recorded a refusal: it holds no locks that claims would wait for.
 */
export async function judgeProviders(
  pool: Pool,
  workspace_id: string,
  mailboxIds: string[],
  now: Date,
): Promise<void> {
  const { rows: due } = await pool.query<{ mailbox_id: string }>(
    prepared(
      `UPDATE mailboxes SET providers_judged_at = $3 WHERE workspace_id = $1 AND mailbox_id = ANY ($2)
       AND (providers_judged_at IS NULL OR providers_judged_at < $4 OR providers_judged_at >= $3) RETURNING mailbox_id`,
      [workspace_id, mailboxIds, now, new Date(now.getTime() - PAUSE_BETWEEN_MS)],
    ),
  )
  if (due.length === 0) return
  const counts = await providerCounts(
    pool,
    {
      workspace_id,
      mailbox_ids: due.map(({ mailbox_id }) => mailbox_id),
      since: new Date(now.getTime() - PROVIDER_WINDOW_MS),
    },
    true,
  )
  for (const { mailbox_id, provider, replied: _, ...judged } of counts) {
    const cause = providerPauseCause(judged)
    // `other` collects unknown domains and all small providers. It is not one provider, so it is never paused.
    if (!cause || provider === 'other') continue
    await inTransaction(pool, async (client) => {
      const { rows: paused } = await client.query<{ address: string }>(
        prepared(
          `INSERT INTO provider_pauses AS p (mailbox_id, provider, workspace_id, cause, sent, bounced, deferred, complained, paused_at, until)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
       ON CONFLICT (mailbox_id, provider) DO UPDATE SET cause = excluded.cause, sent = excluded.sent,
         bounced = excluded.bounced, deferred = excluded.deferred, complained = excluded.complained,
         paused_at = excluded.paused_at, until = excluded.until
       WHERE p.until <= excluded.paused_at
       RETURNING (SELECT address FROM mailboxes m WHERE m.workspace_id = $3 AND m.mailbox_id = $1) AS address`,
          [
            mailbox_id,
            provider,
            workspace_id,
            cause,
            judged.sent,
            judged.bounced,
            judged.deferred,
            judged.complained,
            now,
            new Date(now.getTime() + COOL_DOWN_MS),
          ],
        ),
      )
      // One notice per pause: a pause that is under way is not started again.
      const notices = paused.map(({ address }): Notice => {
        const reason = `${providerInWords(provider)}, where ${pauseInWords(cause, judged)}`
        return { workspace_id, kind: 'provider_paused', mailbox_id, data: { address, reason } }
      })
      await tell(client, [], notices)
    })
  }
}
