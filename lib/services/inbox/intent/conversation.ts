import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { isRuled } from '#lib/domain/inbox/intent/intent-rules'
import { INTENTS, type Intent, type IntentSource } from '#lib/domain/inbox/intent/intents'
import { ANSWERING_ROLES } from '#lib/domain/workspaces/roles'
import { tell } from '#lib/services/telling/tell'

type Followed = {
  workspace_id: string
  thread_id: string
  campaign_id: string | null
  campaign_lead_id: string | null
  email: string | null
  lead_index: number | null
  inbox_message_id: string
  intent: Intent
  intent_by: IntentSource | null
  intent_evidence: string | null
  intent_until: string | null
}

/** Marks an intent as followed, in one statement: whoever comes second finds nothing to do. */
const FOLLOWED = `WITH followed AS (
    UPDATE inbox_messages m SET ruled_intents = m.ruled_intents || m.intent
    WHERE m.workspace_id = $1::uuid AND m.inbox_message_id = $2::uuid AND m.intent IS NOT NULL
      AND NOT m.intent = ANY (m.ruled_intents)
    RETURNING m.*)
  SELECT m.workspace_id, t.thread_id, t.campaign_id, t.campaign_lead_id,
    coalesce(l.email, nullif(t.counterpart_address, '')) AS email, l.lead_index, m.inbox_message_id, m.intent::text AS intent,
    m.intent_by, m.intent_evidence, to_char(m.intent_until, 'YYYY-MM-DD') AS intent_until
  FROM followed m JOIN threads t USING (thread_id) LEFT JOIN campaign_leads l USING (campaign_lead_id)`

type Rule = { assignee_id: string | null; label: string | null; notify_ids: string[] }

/** What the rule of its intent says of the conversation of a message, and what is told of it: once for each intent. */
export async function followInConversation(
  client: Statements,
  workspaceId: string,
  messageId: string,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<Followed>(prepared(FOLLOWED, [workspaceId, messageId]))
  const [said] = rows
  if (!said) return
  await tellIntent(client, said, now)
  if (!isRuled(said.intent)) return
  const { rows: rules } = await client.query<Rule>(
    prepared(
      `SELECT assignee_id, label, notify_ids FROM intent_rules
       WHERE workspace_id = $1::uuid AND intent = $2::"Intent" AND (campaign_id = $3::uuid OR campaign_id IS NULL)
       ORDER BY campaign_id NULLS LAST LIMIT 1`,
      [workspaceId, said.intent, said.campaign_id],
    ),
  )
  const [rule] = rules
  if (!rule) return
  await assign(client, said, rule)
  if (rule.label !== null)
    await client.query(
      prepared(
        `UPDATE threads SET labels = ARRAY(SELECT DISTINCT unnest(labels || $3::text) ORDER BY 1)
         WHERE workspace_id = $1::uuid AND thread_id = $2::uuid`,
        [workspaceId, said.thread_id, rule.label],
      ),
    )
  await notify(client, said, rule.notify_ids)
}

const tellIntent = (client: Statements, said: Followed, at: Date) => {
  const { workspace_id, thread_id, campaign_id, campaign_lead_id, email, lead_index, ...rest } = said
  const { inbox_message_id, intent, intent_by, intent_evidence, intent_until } = rest
  const known = INTENTS.find((one) => one === intent) ?? intent
  const data = {
    campaign_id,
    campaign_lead_id,
    email,
    lead_index,
    thread_id,
    inbox_message_id,
    intent: known,
  }
  return tell(client, [
    { type: 'reply.intent', workspace_id, at, data: { ...data, intent_by, intent_evidence, intent_until } },
  ])
}

/** A conversation that nobody has; of whoever may not answer any more nothing becomes. */
async function assign(client: Statements, { workspace_id, thread_id, ...said }: Followed, rule: Rule) {
  if (rule.assignee_id === null) return
  const { rows } = await client.query(
    `UPDATE threads t SET assignee_id = m.user_id FROM members m
     WHERE t.workspace_id = $1::uuid AND t.thread_id = $2::uuid AND t.assignee_id IS NULL
       AND m.workspace_id = t.workspace_id AND m.user_id = $3::uuid AND m.role::text = ANY ($4::text[]) RETURNING t.thread_id`,
    [workspace_id, thread_id, rule.assignee_id, ANSWERING_ROLES],
  )
  if (rows.length === 0) return
  await tell(
    client,
    [],
    [
      {
        workspace_id,
        user_id: rule.assignee_id,
        kind: 'assigned',
        ...about(said),
        data: { thread_id, email: said.email, by: null },
      },
    ],
  )
}

/** Members only: whoever left is not told. */
async function notify(client: Statements, { workspace_id, thread_id, ...said }: Followed, ids: string[]) {
  if (ids.length === 0) return
  const { rows } = await client.query<{ user_id: string }>(
    'SELECT user_id FROM members WHERE workspace_id = $1::uuid AND user_id = ANY ($2::uuid[]) ORDER BY user_id',
    [workspace_id, ids],
  )
  const data = { thread_id, email: said.email, reason: said.intent }
  await tell(
    client,
    [],
    rows.map(({ user_id }) => ({
      workspace_id,
      user_id,
      kind: 'reply_intent' as const,
      ...about(said),
      data,
    })),
  )
}

const about = ({ campaign_id, campaign_lead_id }: Pick<Followed, 'campaign_id' | 'campaign_lead_id'>) => ({
  ...(campaign_id && { campaign_id }),
  ...(campaign_lead_id && { campaign_lead_id }),
})
