import { pool } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import { listedNames } from '#lib/domain/leads/listed-names'
import { type Addressee, namesOfAddressees } from '#lib/services/leads/on-list'

/**
 * The entry that suppresses an address or its domain in a workspace; its own list comes before its parent's.
 */
export async function findSuppression(workspaceId: string, email: string): Promise<Found | null> {
  return findNamed(workspaceId, listedValues(email))
}

type Found = { value: string; reason: string }
type Known = { email: string | null; profile: string | null; phone: string | null; country: string | null }

/**
 * By address, which of several people contacted by hand are suppressed: by address, domain, profile or
 * telephone number.
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

/** The same for a single person. */
export async function findListed(workspaceId: string, addressee: Addressee): Promise<Found | null> {
  return (await listedAmong(workspaceId, [addressee])).get(addressee.email) ?? null
}

/** The same for a person, by everything known about them. */
export function findPersonSuppression(workspaceId: string, person: Known): Promise<Found | null> {
  const values = person.email ? listedValues(person.email) : []
  return findNamed(workspaceId, [...values, ...listedNames({ data: {}, ...person })])
}

/** The values under which an address may be listed. */
export function listedValues(email: string): string[] {
  const address = email.toLowerCase()
  return [address, address.slice(address.lastIndexOf('@'))]
}

/** The entry with one of these values, which must be spelled like entries. */
export async function findNamed(workspaceId: string, values: string[]): Promise<Found | null> {
  const { rows } = await pool().query<Found>(
    `SELECT value, reason FROM effective_suppressions WHERE workspace_id = $1 AND value = ANY ($2)
     ORDER BY listed_in <> $1, value DESC LIMIT 1`,
    [workspaceId, values],
  )
  return rows[0] ?? null
}

export type Reach = {
  /** The parent whose list also gets the entry; null if it stays in the workspace. */
  parent: string | null
  /** All workspaces in which the entry ends leads. */
  workspaces: string[]
}

/**
 * Where an entry of a workspace's list applies: in it and in all of its child workspaces. If the parent asks
 * for it, what a person requests in one workspace is also listed by the parent, and so applies to all of its
 * workspaces.
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
