import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { listedNames } from '#lib/domain/leads/listed-names'
import { type Addressee, namesOfAddressees } from '#lib/services/leads/on-list'

/** What lists an address, or its domain, for a workspace: an entry of its own list before one of its parent's. */
export async function findSuppression(workspaceId: string, email: string): Promise<Found | null> {
  return findNamed(workspaceId, listedValues(email))
}

type Found = { value: string; reason: string }
type Known = { email: string | null; profile: string | null; phone: string | null; country: string | null }

/**
 * Which of several people who are written to by hand are listed, by address: for it, for its domain, or for a profile or a telephone
 * number of whoever has it.
 */
export async function listedAmong(workspaceId: string, addressees: Addressee[]): Promise<Map<string, Found>> {
  const people = addressees.map((one) => ({ ...one, email: one.email.toLowerCase() }))
  if (people.length === 0) return new Map()
  const names = await namesOfAddressees(pool(), workspaceId, people)
  const values = people.map(({ email }) => [...listedValues(email), ...(names.get(email) ?? [])])
  const { rows } = await pool().query<Found>(
    `SELECT value, reason FROM effective_suppressions WHERE workspace_id = $1 AND value = ANY ($2)
     ORDER BY listed_in = $1`,
    [workspaceId, values.flat()],
  )
  const entries = new Map(rows.map((entry) => [entry.value, entry]))
  return new Map(
    addressees.flatMap(({ email }, index) => {
      const [entry] = values[index]?.flatMap((value) => entries.get(value) ?? []) ?? []
      return entry ? [[email, entry] as const] : []
    }),
  )
}

/** The same of one of them. */
export async function findListed(workspaceId: string, addressee: Addressee): Promise<Found | null> {
  return (await listedAmong(workspaceId, [addressee])).get(addressee.email) ?? null
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
  client: Statements,
  workspaceId: string,
  { is_wish }: { is_wish: boolean },
): Promise<Reach> {
  const { rows } = await client.query<{ parent: string | null; children: string[]; siblings: string[] }>(
    prepared(
      `SELECT parent.workspace_id AS parent,
         ARRAY(SELECT c.workspace_id FROM workspaces c WHERE c.parent_workspace_id = own.workspace_id) AS children,
         ARRAY(SELECT c.workspace_id FROM workspaces c WHERE c.parent_workspace_id = parent.workspace_id) AS siblings
       FROM workspaces own LEFT JOIN workspaces parent
         ON parent.workspace_id = own.parent_workspace_id AND parent.share_unsubscribes AND $2
       WHERE own.workspace_id = $1::uuid`,
      [workspaceId, is_wish],
    ),
  )
  const { parent = null, children = [], siblings = [] } = rows[0] ?? {}
  const workspaces = [workspaceId, ...children, ...(parent ? [parent, ...siblings] : [])]
  return { parent, workspaces: [...new Set(workspaces)] }
}
