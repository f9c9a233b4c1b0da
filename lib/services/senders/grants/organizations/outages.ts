import type { Pool, PoolClient } from 'pg'
import { inTransaction } from '#lib/db/transaction'
import { retryAfter, type SenderCause } from '#lib/domain/sending/sender-failures'
import { wakeOwners } from '#lib/services/senders/sender-failures'
import { type Outage, tellOfOrganization } from '#lib/services/senders/told'

type Fault = { organization_id: string; address: string; cause: SenderCause; said: string }

const NOTE = `UPDATE mail_organizations SET failing_cause = $2, failing_said = $3, failing_since = coalesce(failing_since, $4),
    last_checked_at = $4
  WHERE organization_id = $1 RETURNING workspace_id, name`

/** The connected mailboxes of an organization, locked in the order of claims. */
const LOCK = `SELECT m.mailbox_id, m.address FROM mailboxes m JOIN mailbox_grants g USING (mailbox_id)
  WHERE g.organization_id = $1 AND m.workspace_id = $2 AND m.status = 'connected'
    AND ($3::text IS NULL OR split_part(m.address, '@', 2) = $3)
  ORDER BY m.mailbox_id FOR NO KEY UPDATE OF m`

/**
 * Records that an organization's key is refused or no longer authorized. No mailbox of it gets tokens then, so all of them wait from now
 * on, whichever met the fault first, and one notice is sent. If authorization is missing, only mailboxes of the same domain are known to be
 * affected.
 */
export async function noteOrganizationFault(pool: Pool, fault: Fault, now: Date): Promise<void> {
  const said = fault.said.slice(0, 1_000)
  await inTransaction(pool, async (client) => {
    const noted = await client.query<{ workspace_id: string; name: string }>(NOTE, [
      fault.organization_id,
      fault.cause,
      said,
      now,
    ])
    const [organization] = noted.rows
    if (!organization) return
    const domain = fault.cause === 'misconfigured' ? null : (fault.address.split('@').at(-1) ?? '')
    const { workspace_id, name } = organization
    const locked = await client.query<{ mailbox_id: string; address: string }>(LOCK, [
      fault.organization_id,
      workspace_id,
      domain,
    ])
    const next_try_at = new Date(now.getTime() + retryAfter(1))
    await client.query(
      `UPDATE mailboxes SET status = 'failing', last_error = $3, failing_cause = $4, failing_since = $5, failing_tries = 1,
         next_try_at = $6 WHERE workspace_id = $1 AND mailbox_id = ANY ($2)`,
      [workspace_id, locked.rows.map(({ mailbox_id }) => mailbox_id), said, fault.cause, now, next_try_at],
    )
    const outage: Outage = { workspace_id, name, said, cause: fault.cause, next_try_at }
    if (locked.rows.length > 0) await tellOfOrganization(client, outage, locked.rows, now)
  })
}

/** Records that an organization issues tokens again: mailboxes that waited for it try at once. */
export async function noteOrganizationWorks(pool: Pool, organization_id: string, now: Date): Promise<void> {
  const workspaceId = await inTransaction(pool, (client) => clearFault(client, organization_id, now))
  if (workspaceId) await wakeOwners(pool, [workspaceId], now)
}

async function clearFault(client: PoolClient, organization_id: string, now: Date): Promise<string | null> {
  const { rows } = await client.query<{ workspace_id: string }>(
    `UPDATE mail_organizations SET failing_cause = NULL, failing_said = NULL, failing_since = NULL, last_checked_at = $2
     WHERE organization_id = $1 RETURNING workspace_id`,
    [organization_id, now],
  )
  const [organization] = rows
  if (!organization) return null
  await client.query(
    `UPDATE mailboxes SET next_try_at = $3 WHERE mailbox_id IN (
       SELECT m.mailbox_id FROM mailboxes m JOIN mailbox_grants g USING (mailbox_id)
       WHERE g.organization_id = $1 AND m.workspace_id = $2 AND m.status = 'failing' AND m.next_try_at > $3
         AND m.failing_cause IN ('misconfigured', 'needs_admin')
       ORDER BY m.mailbox_id FOR NO KEY UPDATE OF m)`,
    [organization_id, organization.workspace_id, now],
  )
  return organization.workspace_id
}
