import type { Pool } from 'pg'
import type { z } from 'zod'
import type { EVENTS } from '#lib/contracts/telling/webhook-events'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { trimEndChars } from '#lib/domain/text/text-end'
import type { SocialAccountRef, SocialProvider } from '#lib/providers/social/port'
import type { AccountRow } from '#lib/services/senders/accounts/account-rows'
import type { WaitingLead } from '#lib/services/sending/load'
import { tell } from '#lib/services/telling/tell'

export type KnownPerson = {
  provider_id: string
  relation: string
  chat_id: string | null
  invitation_id: string | null
}

/** The canonical form of a handle or profile address, so that two spellings are one person. */
const toKey = (profile: string): string => {
  const path = profile
    .trim()
    .toLowerCase()
    .replace(/^[a-z]+:\/\//, '')
    .replace(/^www\./, '')
    .replace(/[?#].*$/s, '')
  return trimEndChars(path, '/').replace(/^@/, '').slice(0, 500)
}

/** What is stored about a lead's person; null if this account never looked them up. */
export async function knownPerson(
  pool: Pool,
  { account_id }: Pick<AccountRow, 'account_id'>,
  { social_provider_id, social_profile }: Pick<WaitingLead, 'social_provider_id' | 'social_profile'>,
): Promise<KnownPerson | null> {
  const { rows } = await pool.query<KnownPerson>(
    `SELECT p.provider_id, p.relation, p.chat_id, p.invitation_id FROM social_people p
     WHERE p.account_id = $1 AND p.provider_id = coalesce($2, (SELECT i.provider_id FROM social_identifiers i
       WHERE i.account_id = $1 AND i.identifier = $3))`,
    [account_id, social_provider_id, toKey(social_profile ?? '')],
  )
  return rows[0] ?? null
}

type Asked = {
  ref: SocialAccountRef
  account: Pick<AccountRow, 'account_id' | 'workspace_id'>
  profile: string
}

/** Looks a person up on the network, with the account's relation to them, and stores both. Throws SocialReadError. */
export async function meetPerson(
  pool: Pool,
  provider: SocialProvider,
  { ref, account, profile }: Asked,
  now: Date,
): Promise<KnownPerson> {
  const met = await provider.person(ref, profile)
  const { provider_id, handle, name, headline, avatar_url, relation, invitation_id } = met
  const { account_id, workspace_id } = account
  const sql = `WITH before AS (SELECT relation FROM social_people WHERE account_id = $1 AND provider_id = $2)
     INSERT INTO social_people AS p (account_id, provider_id, workspace_id, handle, name, headline, avatar_url, relation,
       invitation_id, checked_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     ON CONFLICT (account_id, provider_id) DO UPDATE SET handle = excluded.handle, name = excluded.name,
       headline = excluded.headline, avatar_url = excluded.avatar_url, checked_at = excluded.checked_at,
       relation = excluded.relation,
       -- Not every network says which invitation waits.
       invitation_id = CASE WHEN excluded.relation = 'invited'
         THEN coalesce(excluded.invitation_id, p.invitation_id) END,
       connected_at = CASE WHEN excluded.relation = 'connected' THEN coalesce(p.connected_at, excluded.checked_at) END
     RETURNING p.provider_id, p.relation, p.chat_id, p.invitation_id,
       p.relation = 'connected' AND (SELECT relation FROM before) <> 'connected' AS has_accepted`
  const values = [
    account_id,
    provider_id,
    workspace_id,
    handle,
    name,
    headline,
    avatar_url,
    relation,
    invitation_id,
    now,
  ]
  const rows = await inTransaction(pool, async (client) => {
    const { rows: met } = await client.query<KnownPerson & { has_accepted: boolean | null }>(sql, values)
    if (met[0]?.has_accepted) await tellOfAcceptance(client, account_id, provider_id, now)
    return met.map(({ has_accepted: _, ...person }) => person)
  })
  await pool.query(
    `INSERT INTO social_identifiers (account_id, identifier, workspace_id, provider_id, checked_at)
     VALUES ($1, $2, $3, $4, $5) ON CONFLICT (account_id, identifier)
     DO UPDATE SET provider_id = excluded.provider_id, checked_at = excluded.checked_at`,
    [account_id, toKey(profile), workspace_id, provider_id, now],
  )
  return rows[0] ?? { provider_id, relation, chat_id: null, invitation_id }
}

type Named = { action_id: string; account_id: string; lead: Pick<WaitingLead, 'campaign_lead_id'> }

/**
 * Stores who the lead is on the network before anything is offered, so that whatever this person writes counts as the lead's reply.
 * The action stores it too, since an edit may give the lead another account.
 */
export async function nameLead(
  pool: Pool,
  { action_id, account_id, lead }: Named,
  { provider_id }: KnownPerson,
): Promise<void> {
  await pool.query(
    `WITH named AS (UPDATE campaign_leads SET social_provider_id = $2
       WHERE campaign_lead_id = $1 AND connected_account_id = $4 AND social_provider_id IS DISTINCT FROM $2)
     UPDATE actions SET social_provider_id = $2 WHERE action_id = $3`,
    [lead.campaign_lead_id, provider_id, action_id, account_id],
  )
}

type Accepted = z.input<(typeof EVENTS)['invitation.accepted']['data']> & { workspace_id: string; at: Date }

/** Reports an accepted invitation, once for each lead that a step had invited. */
export async function tellOfAcceptance(
  client: Statements,
  accountId: string,
  providerId: string,
  now: Date,
): Promise<void> {
  const { rows } = await client.query<Accepted>(
    `SELECT p.workspace_id, coalesce(p.connected_at, $3) AS at, l.campaign_id, l.campaign_lead_id, l.email, l.lead_index,
       a.step, a.action_id, p.account_id, p.name, p.handle
     FROM social_people p
     JOIN campaign_leads l ON l.connected_account_id = p.account_id AND l.social_provider_id = p.provider_id
     JOIN actions a ON a.campaign_lead_id = l.campaign_lead_id AND a.connected_account_id = p.account_id
       AND a.action_type = 'connection_request' AND a.status IN ('sent', 'uncertain')
       AND a.performed_at <= coalesce(p.connected_at, $3)
     WHERE p.account_id = $1 AND p.provider_id = $2`,
    [accountId, providerId, now],
  )
  await tell(
    client,
    rows.map(({ workspace_id, at, ...data }) => ({ type: 'invitation.accepted', workspace_id, at, data })),
  )
}
