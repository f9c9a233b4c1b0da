import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { INTENTS, type Intent, type IntentSource } from '#lib/domain/inbox/intent/intents'
import { ANSWERING_ROLES } from '#lib/domain/workspaces/roles'
import { rulesFor } from '#lib/services/inbox/intent/rules'
import { type Told, tell } from '#lib/services/telling/tell'

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

const said = (messages: string) => `SELECT m.workspace_id, t.thread_id, t.campaign_id, t.campaign_lead_id,
    coalesce(l.email, nullif(t.counterpart_address, '')) AS email, l.lead_index, m.inbox_message_id, m.intent::text AS intent,
    m.intent_by, m.intent_evidence, to_char(m.intent_until, 'YYYY-MM-DD') AS intent_until
  FROM ${messages} m JOIN threads t USING (thread_id) LEFT JOIN campaign_leads l USING (campaign_lead_id)`

/**
 * SQL: marks a message's intent as handled, in one statement, so that a concurrent call finds nothing to do.
 */
const FOLLOWED = `WITH followed AS (
    UPDATE inbox_messages m SET ruled_intents = m.ruled_intents || m.intent
    WHERE m.workspace_id = $1::uuid AND m.inbox_message_id = $2::uuid AND m.intent IS NOT NULL
      AND NOT m.intent = ANY (m.ruled_intents)
    RETURNING m.*)
  ${said('followed')}`
/** SQL: for messages written in the same transaction, whose intents are already marked. */
const NEW = `${said('inbox_messages')}
  WHERE m.workspace_id = $1::uuid AND m.inbox_message_id = ANY ($2::uuid[]) AND m.intent IS NOT NULL`

type Rule = { assignee_id: string | null; label: string | null; notify_ids: string[] }

/** Applies the rule of a message's intent to its conversation and emits the events, once per intent. */
export async function followInConversation(
  client: Statements,
  workspaceId: string,
  messageId: string,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<Followed>(prepared(FOLLOWED, [workspaceId, messageId]))
  await follow(
    client,
    rows.map((row) => ({ ...row, at: now })),
  )
}

/** The same for new messages. */
export async function followNew(
  client: Statements,
  workspaceId: string,
  messages: readonly { inbox_message_id: string; at: Date }[],
): Promise<void> {
  if (messages.length === 0) return
  const ids = messages.map(({ inbox_message_id }) => inbox_message_id)
  const { rows } = await client.query<Followed>(prepared(NEW, [workspaceId, ids]))
  const known = new Map(rows.map((row) => [row.inbox_message_id, row]))
  const followed = messages.flatMap(({ inbox_message_id, at }) => {
    const row = known.get(inbox_message_id)
    return row ? [{ ...row, at }] : []
  })
  await follow(client, followed)
}

async function follow(client: Statements, followed: readonly (Followed & { at: Date })[]): Promise<void> {
  await tell(client, followed.map(toTold))
  const rules = await rulesFor<Rule>(client, followed, 'assignee_id, label, notify_ids')
  for (const [index, one] of followed.entries()) {
    const rule = rules[index]
    if (rule) await followRule(client, one, rule)
  }
}

async function followRule(client: Statements, said: Followed, rule: Rule): Promise<void> {
  await assign(client, said, rule)
  if (rule.label !== null)
    await client.query(
      prepared(
        `UPDATE threads SET labels = ARRAY(SELECT DISTINCT unnest(labels || $3::text) ORDER BY 1)
         WHERE workspace_id = $1::uuid AND thread_id = $2::uuid`,
        [said.workspace_id, said.thread_id, rule.label],
      ),
    )
  await notify(client, said, rule.notify_ids)
}

function toTold({ workspace_id, thread_id, at, ...said }: Followed & { at: Date }): Told {
  const { campaign_id, campaign_lead_id, email, lead_index, ...rest } = said
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
  return {
    type: 'reply.intent',
    workspace_id,
    at,
    data: { ...data, intent_by, intent_evidence, intent_until },
  }
}

/** Assigns a conversation that nobody has; does nothing if the member may no longer reply. */
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

/** Notifies members only; somebody who left the workspace gets nothing. */
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
