import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import type { InboundKind, Reading } from '#lib/domain/inbox/classify'
import type { Intent, IntentSource, ReadIntent } from '#lib/domain/inbox/intent/intents'
import { invalid } from '#lib/errors'
import { type Asking, chosenBy } from '#lib/services/campaigns/client-access'
import type { EditTx } from '#lib/services/instance/versioned-edit'

const MAX_DAYS = 731
const FOLLOW_MS = 60_000

/** SQL: the intent columns of messages `m` in answers. */
export const INTENT_COLUMNS = `m.intent_by, m.intent_evidence, to_char(m.intent_until, 'YYYY-MM-DD') AS intent_until,
  m.referral_name, m.referral_email`

export type IntentFields = {
  intent: Intent | null
  intent_by: IntentSource | null
  intent_evidence: string | null
  intent_until: string | null
  referral_name: string | null
  referral_email: string | null
}

/** For messages written here. */
export const NO_INTENT: IntentFields = {
  intent: null,
  intent_by: null,
  intent_evidence: null,
  intent_until: null,
  referral_name: null,
  referral_email: null,
}

/** The intent of a mail according to its kind; null if the kind does not determine one. */
export function mailIntent(kind: InboundKind, { intent, absence }: Reading): ReadIntent | null {
  const plain = (said: Intent, evidence: string): ReadIntent => ({
    intent: said,
    evidence,
    until: null,
    referral: null,
  })
  if (kind === 'hard_bounce' || kind === 'soft_bounce') return plain('bounce', '')
  if (kind === 'automatic_reply') return intent ?? (absence && plain('absence', absence.said))
  if (kind === 'unsubscribe') return intent?.intent === 'stop' ? intent : plain('stop', '')
  return kind === 'reply' ? intent : null
}

/** Stores a message's intent and shows it with the conversation. */
export async function keepIntent(
  client: Statements,
  threadId: string,
  messageId: string,
  read: ReadIntent | null,
  by: Exclude<IntentSource, 'person'> = 'rules',
): Promise<void> {
  if (read)
    await client.query(
      prepared(
        `UPDATE inbox_messages SET intent = $3::"Intent", intent_by = $8::"IntentSource", intent_evidence = nullif($4, ''),
           intent_until = $5::date, referral_name = $6, referral_email = $7
         WHERE thread_id = $1::uuid AND inbox_message_id = $2::uuid AND intent_by IS DISTINCT FROM 'person'`,
        [
          threadId,
          messageId,
          read.intent,
          read.evidence,
          read.until,
          read.referral?.name ?? null,
          read.referral?.email ?? null,
          by,
        ],
      ),
    )
  await showIntents(client, [messageId])
}

/**
 * Sets each conversation's intent to that of its latest message with one; these messages are new, at most one
 * per conversation. An automatic reply does not override what the person said.
 */
export async function showIntents(client: Statements, messageIds: string[]): Promise<void> {
  if (messageIds.length === 0) return
  await client.query(
    prepared(
      `UPDATE threads t SET intent = m.intent, intent_message_id = m.inbox_message_id
       FROM inbox_messages m WHERE m.inbox_message_id = ANY ($1::uuid[]) AND t.thread_id = m.thread_id
         AND (m.intent IS NOT NULL OR t.intent IS NULL)
         AND (m.kind <> 'automatic_reply' OR t.intent IS NULL OR t.intent = 'absence')
         AND NOT EXISTS (SELECT 1 FROM inbox_messages k
           WHERE k.inbox_message_id = t.intent_message_id AND k.at > m.at AND k.intent IS NOT NULL)`,
      [messageIds],
    ),
  )
}

/** A user sets the intent, so no words of the message are shown as evidence any more. */
export async function setIntent(
  tx: EditTx,
  key: { thread_id: string; workspace_id: string },
  { intent, until }: { intent: Intent | null; until: string | null },
  now: Date,
): Promise<void> {
  if (until !== null && intent !== 'later')
    throw invalid(['body', 'intent_until'], 'goes with the intent later')
  if (until !== null && Date.parse(until) > now.getTime() + MAX_DAYS * DAY_MS)
    throw invalid(['body', 'intent_until'], 'must be at most two years from now')
  const thread = await tx.thread.findFirst({ where: key, select: { intent_message_id: true } })
  if (!thread?.intent_message_id) throw invalid(['body', 'intent'], 'needs a message that came in')
  await tx.thread.updateMany({ where: key, data: { intent } })
  const by: IntentSource | null = intent && 'person'
  await tx.inboxMessage.updateMany({
    where: { inbox_message_id: thread.intent_message_id, workspace_id: key.workspace_id },
    data: {
      intent,
      intent_by: by,
      intent_until: until === null ? null : new Date(until),
      intent_evidence: null,
      referral_name: null,
      referral_email: null,
      // A model is no longer asked.
      ask_model_at: null,
      // The effects are applied at once; this makes up for it if that fails.
      follow_at: new Date(now.getTime() + FOLLOW_MS),
    },
  })
}

/** The number of conversations per intent, highest first; for a client, of their campaigns. */
export async function countIntents(user: Asking): Promise<{ intent: Intent; threads: number }[]> {
  const { rows } = await pool().query<{ intent: Intent; threads: number }>(
    `SELECT t.intent::text AS intent, count(*)::int AS threads FROM threads t
     WHERE t.workspace_id = $1 AND t.intent IS NOT NULL AND ($2::uuid IS NULL OR t.campaign_id IN (
       SELECT k.campaign_id FROM campaign_clients k WHERE k.workspace_id = $1 AND k.user_id = $2))
     GROUP BY 1 ORDER BY min(t.intent)`,
    [user.workspace_id, chosenBy(user)],
  )
  return rows
}
