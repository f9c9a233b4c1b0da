import { pool } from '#lib/db/client'
import { listedNames } from '#lib/domain/leads/listed-names'
import { namesOfLeads } from '#lib/services/leads/on-list'
import { findNamed, listedValues } from '#lib/services/leads/suppression-reach'
import { type ChatAccount, type ChatPerson, findThread } from '#lib/services/social/chat-threads'

type Account = Pick<ChatAccount, 'account_id' | 'workspace_id' | 'provider'>
type Person = {
  social_provider_id: string | null
  campaign_lead_id?: string | null
  /** A handle or profile URL of a person of whom nothing else is known yet. */
  identifier?: string | null
}

/**
 * The suppression entry that matches the person of a chat: by their name on the network, or by anything known about them and their leads.
 */
export async function findChatSuppression(account: Account, person: Person) {
  const { workspace_id } = account
  const { rows: leads } = await pool().query<{ campaign_lead_id: string; emails: string[] }>(
    `SELECT l.campaign_lead_id, array_remove(array_agg(p.email) || l.email, NULL) AS emails
     FROM campaign_leads l LEFT JOIN people p ON p.workspace_id = l.workspace_id AND p.person_id = l.person_id
     WHERE l.workspace_id = $1 AND l.campaign_lead_id IN (SELECT $4::uuid
       UNION SELECT campaign_lead_id FROM campaign_leads WHERE connected_account_id = $2 AND social_provider_id = $3
       UNION SELECT campaign_lead_id FROM actions WHERE connected_account_id = $2 AND social_provider_id = $3)
     GROUP BY l.campaign_lead_id`,
    [workspace_id, account.account_id, person.social_provider_id, person.campaign_lead_id ?? null],
  )
  const names = await namesOfLeads(
    pool(),
    workspace_id,
    leads.map((lead) => lead.campaign_lead_id),
  )
  return findNamed(workspace_id, [
    ...(await namesOnNetwork(account, person)),
    ...[...names.values()].flat(),
    ...leads.flatMap((lead) => lead.emails.flatMap(listedValues)),
  ])
}

async function namesOnNetwork({ account_id, workspace_id, provider }: Account, person: Person) {
  const { rows } = await pool().query<{ name: string }>(
    `SELECT handle AS name FROM social_people
     WHERE workspace_id = $1 AND account_id = $2 AND provider_id = $3 AND handle IS NOT NULL
     UNION SELECT identifier FROM social_identifiers WHERE workspace_id = $1 AND account_id = $2 AND provider_id = $3`,
    [workspace_id, account_id, person.social_provider_id],
  )
  const known = [person.identifier, ...rows.map(({ name }) => name)].filter(
    (name) => typeof name === 'string',
  )
  return known.flatMap((name) =>
    listedNames({
      data: {},
      profile: `${provider}:${name}`,
      ...(provider === 'whatsapp' && { phone: name }),
    }),
  )
}

/** Whether the person ever wrote in the chat: then they may be answered even if they are on the suppression list. */
export async function hasWritten(workspaceId: string, threadId: string): Promise<boolean> {
  const { rowCount } = await pool().query(
    `SELECT 1 FROM inbox_messages WHERE workspace_id = $1 AND thread_id = $2 AND direction = 'in' LIMIT 1`,
    [workspaceId, threadId],
  )
  return (rowCount ?? 0) > 0
}

export const listedRefusal = ({ value, reason }: { value: string; reason: string }) =>
  `${value} is on the suppression list (${reason}).`

/** Why a person, given by chat, id or name, may not be written to; null if they may. */
export async function refuseChat(account: Account & ChatAccount, to: ChatPerson, identifier: string | null) {
  const { workspace_id } = account
  const thread = await findThread(pool(), account, to)
  const social_provider_id = to.provider_id ?? thread?.social_provider_id ?? null
  const listed = await findChatSuppression(account, { ...thread, social_provider_id, identifier })
  if (!listed || (thread && (await hasWritten(workspace_id, thread.thread_id)))) return null
  return listedRefusal(listed)
}
