import type { Pool, PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { listedNames } from '#lib/domain/leads/listed-names'

/** What lists an address, or its domain, for a workspace: an entry of its own list before one of its parent's. */
export async function findSuppression(workspaceId: string, email: string): Promise<Found | null> {
  return findNamed(workspaceId, listedValues(email))
}

type Found = { value: string; reason: string }
type Known = { email: string | null; profile: string | null; phone: string | null; country: string | null }

/** Those of several that are listed, each with its reason. */
export async function suppressedAmong(workspaceId: string, emails: string[]): Promise<Map<string, string>> {
  const { rows } = await pool().query<Found>(
    'SELECT value, reason FROM effective_suppressions WHERE workspace_id = $1 AND value = ANY ($2)',
    [workspaceId, emails.flatMap(listedValues)],
  )
  const listed = new Map(rows.map(({ value, reason }) => [value, reason]))
  return new Map(
    emails.flatMap((email) => {
      const [address = '', domain = ''] = listedValues(email)
      const reason = listed.get(address) ?? listed.get(domain)
      return reason ? [[email, reason] as const] : []
    }),
  )
}

/** The same for a person, by whatever is known of them. */
export function findPersonSuppression(workspaceId: string, person: Known): Promise<Found | null> {
  const values = person.email ? listedValues(person.email) : []
  return findNamed(workspaceId, [...values, ...listedNames({ data: {}, ...person })])
}

/** How entries name an address. */
export function listedValues(email: string): string[] {
  const address = email.toLowerCase()
  return [address, address.slice(address.lastIndexOf('@'))]
}

/** The entry under one of these values, spelled as entries are. */
export async function findNamed(workspaceId: string, values: string[]): Promise<Found | null> {
  const { rows } = await pool().query<Found>(
    `SELECT value, reason FROM effective_suppressions WHERE workspace_id = $1 AND value = ANY ($2)
     ORDER BY listed_in <> $1, value DESC LIMIT 1`,
    [workspaceId, values],
  )
  return rows[0] ?? null
}

export type Reach = {
  /** The parent whose list the entry is put on too; null where it stays in the workspace. */
  parent: string | null
  /** All workspaces in which it ends leads. */
  workspaces: string[]
}

/**
 * Where an entry of a workspace's list holds: in it, and in all whose parent it is. What a person says of themselves in a
 * workspace is said to its parent too, and so to all of the parent's, where the parent asks for that.
 */
export async function reachOfEntry(
  client: Pool | PoolClient,
  workspaceId: string,
  { is_wish }: { is_wish: boolean },
): Promise<Reach> {
  const { rows } = await client.query<{ parent: string | null; children: string[]; siblings: string[] }>(
    `SELECT parent.workspace_id AS parent,
       ARRAY(SELECT c.workspace_id FROM workspaces c WHERE c.parent_workspace_id = own.workspace_id) AS children,
       ARRAY(SELECT c.workspace_id FROM workspaces c WHERE c.parent_workspace_id = parent.workspace_id) AS siblings
     FROM workspaces own LEFT JOIN workspaces parent
       ON parent.workspace_id = own.parent_workspace_id AND parent.share_unsubscribes AND $2
     WHERE own.workspace_id = $1`,
    [workspaceId, is_wish],
  )
  const { parent = null, children = [], siblings = [] } = rows[0] ?? {}
  const workspaces = [workspaceId, ...children, ...(parent ? [parent, ...siblings] : [])]
  return { parent, workspaces: [...new Set(workspaces)] }
}
