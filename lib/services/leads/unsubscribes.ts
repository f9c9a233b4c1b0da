import type { Pool, PoolClient } from 'pg'
import { db, pool } from '#lib/db/client'
import { withEachKey } from '#lib/db/seal'
import { inTransaction } from '#lib/db/transaction'
import { readUnsubscribeToken } from '#lib/domain/tokens/unsubscribe-token'
import { type Logged, logged } from '#lib/services/campaigns/decision-log'
import { sharedReason, suppressWithin } from '#lib/services/leads/endings'
import { writeLeadLog } from '#lib/services/leads/told'

/** The reason of entries made by people themselves; they may remove these, but no others. */
const REASON = 'unsubscribe'

type Mail = {
  workspace_id: string
  /** Null if the campaign was deleted since. */
  campaign_id: string | null
  campaign_lead_id: string | null
  step: number | null
  /** The recipient. */
  email: string
  /** The sender; null for mail sent before senders were stored, if its mailbox was removed since. */
  sender: string | null
}

const readIds = (token: string) => withEachKey('unsubscribe', (key) => readUnsubscribeToken(token, key))

/** The mail that contained the link; null if the token is invalid or the workspace is gone. */
async function findMail(token: string): Promise<Mail | null> {
  const ids = readIds(token)
  if (!ids) return null
  const { action_id, workspace_id } = ids
  const [mail] = await db.$queryRaw<Mail[]>`
    SELECT a.workspace_id, a.campaign_id, a.campaign_lead_id, a.step, l.email, coalesce(a.from_address, m.address) AS sender
    FROM actions a JOIN campaign_leads l USING (campaign_lead_id)
    LEFT JOIN mailboxes m ON m.mailbox_id = a.mailbox_id
    WHERE a.action_id = ${action_id}::uuid AND a.workspace_id = ${workspace_id}::uuid AND l.email IS NOT NULL
    UNION ALL
    SELECT workspace_id, NULL, NULL, NULL, email, NULL FROM past_recipients
    WHERE action_id = ${action_id}::uuid AND workspace_id = ${workspace_id}::uuid`
  return mail ?? null
}

/** Whether the link is valid but its sender's workspace was erased, so that nothing more can come from it. */
async function isErased(token: string): Promise<boolean> {
  const ids = readIds(token)
  return ids !== null && (await db.workspace.count({ where: { workspace_id: ids.workspace_id } })) === 0
}

const toEntry = ({ workspace_id, email }: Mail) => ({ workspace_id, value: email.toLowerCase() })

/** What the unsubscribe page shows. Reading it changes nothing, since mail scanners follow every link. */
export async function readUnsubscribe(token: string) {
  const mail = await findMail(token)
  if (!mail) return (await isErased(token)) ? 'sender_gone' : null
  const entries = await entriesFor(pool(), mail)
  return {
    email: mail.email,
    sender: mail.sender,
    is_unsubscribed: entries.length > 0,
    may_resubscribe: entries.length > 0 && entries.every((entry) => entry.may_go),
  }
}

/**
 * The list entries for the address in this workspace. A person may remove their own entry, and the parent's
 * copy of it, unless they also unsubscribed in another of the parent's workspaces.
 */
async function entriesFor(client: Pool | PoolClient, mail: Mail) {
  const { workspace_id, value } = toEntry(mail)
  const { rows } = await client.query<{ listed_in: string; may_go: boolean }>(
    `SELECT s.listed_in, s.reason = $3 AND s.listed_in = s.workspace_id OR s.reason = $4 AND NOT EXISTS (
       SELECT 1 FROM workspaces sibling JOIN suppressions said ON said.workspace_id = sibling.workspace_id
       WHERE sibling.parent_workspace_id = s.listed_in AND sibling.workspace_id <> s.workspace_id
         AND said.value = s.value AND said.reason = $3) AS may_go
     FROM effective_suppressions s WHERE s.workspace_id = $1 AND s.value = $2`,
    [workspace_id, value, REASON, sharedReason(REASON)],
  )
  return rows
}

/**
 * Lists the address and ends everything that still waits for it, in all campaigns. Idempotent. `comment` is
 * the person's message to the owner. Returns false if the link is invalid.
 */
export async function unsubscribe(
  token: string,
  said: { via: 'one_click' | 'page'; comment: string | null },
  now: Date,
): Promise<boolean> {
  const mail = await findMail(token)
  if (!mail) return isErased(token)
  const entry = {
    workspace_id: mail.workspace_id,
    values: [mail.email],
    reason: REASON,
    status: 'unsubscribed',
    is_wish: true,
  } as const
  await inTransaction(pool(), async (client) => {
    const { added } = await suppressWithin(client, entry, now)
    if (added > 0) await writeLeadLog(client, buildNote(mail, 'unsubscribed', said, now))
  })
  return true
}

/** Removes the person's own entry, and no other. Ended leads stay ended: this applies to future campaigns. */
export async function resubscribe(token: string, now: Date): Promise<boolean> {
  const mail = await findMail(token)
  if (!mail) return false
  await inTransaction(pool(), async (client) => {
    const lists = (await entriesFor(client, mail)).filter((entry) => entry.may_go)
    const { rowCount } = await client.query(
      'DELETE FROM suppressions WHERE workspace_id = ANY ($1) AND value = $2 AND reason IN ($3, $4)',
      [lists.map(({ listed_in }) => listed_in), toEntry(mail).value, REASON, sharedReason(REASON)],
    )
    if (rowCount)
      await writeLeadLog(client, buildNote(mail, 'resubscribed', { via: 'page', comment: null }, now))
  })
  return true
}

/** Nothing if the campaign, and with it its log, is gone. */
function buildNote(
  mail: Mail,
  kind: 'unsubscribed' | 'resubscribed',
  { via, comment }: { via: string; comment: string | null },
  now: Date,
): Logged[] {
  const { campaign_id, campaign_lead_id, workspace_id, step } = mail
  if (!campaign_id || !campaign_lead_id) return []
  const facts = { campaign_lead_id, step, channel: 'email', reason: comment, detail: { via } }
  return [logged({ campaign_id, workspace_id }, kind, now, facts)]
}

/**
 * Must run before a campaign is deleted: the links in its mail must keep working. Runs when awaited or
 * batched.
 */
export function keepRecipients(campaignId: string) {
  return db.$executeRaw`
    INSERT INTO past_recipients (action_id, workspace_id, email)
    SELECT a.action_id, a.workspace_id, l.email FROM actions a JOIN campaign_leads l USING (campaign_lead_id)
    WHERE a.campaign_id = ${campaignId}::uuid AND a.message_id IS NOT NULL AND l.email IS NOT NULL
    ON CONFLICT DO NOTHING`
}
