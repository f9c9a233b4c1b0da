import type { Statements } from '#lib/db/statements'
import {
  enrolledAs,
  leftRows,
  profileKeySql,
  type Reach,
  repeatedAddresses,
  repeatedRows,
  repliedRows,
} from '#lib/services/leads/enrolment-rule'
import { filledLists, rowsOnList } from '#lib/services/leads/on-list'

/**
 * Rows of a dataset, by lead_index, computed for all rows at once: a check per row would cost more than
 * everything else.
 */
export type FoundRows = {
  /** Rows whose person replied to another campaign. */
  replied: number[]
  /** Rows whose person has left. */
  left: number[]
  /** Rows that have the address, or the profile, of an earlier row. */
  address: number[]
  profile: number[]
}

export const NONE_FOUND: FoundRows = { replied: [], left: [], address: [], profile: [] }

export async function findRows(client: Statements, dataset_id: string, reach: Reach): Promise<FoundRows> {
  const indexes = (sql: string) => `(SELECT coalesce(array_agg(lead_index), '{}') FROM (${sql}) found)`
  const find = async (sql: string): Promise<number[]> => {
    const { rows } = await client.query<{ indexes: number[] }>(`SELECT ${indexes(sql)} AS indexes`, [
      dataset_id,
    ])
    return rows[0]?.indexes ?? []
  }
  const left = reach.writes_to_left ? `'{}'::int[]` : indexes(leftRows('$1'))
  const { rows } = await client.query<Pick<FoundRows, 'replied' | 'left'>>(
    `SELECT ${indexes(repliedRows('$1'))} AS replied, ${left} AS "left"`,
    [dataset_id],
  )
  return {
    ...(rows[0] ?? { replied: [], left: [] }),
    address: await find(repeatedAddresses('$1')),
    profile: reach.network ? await find(repeatedRows(profileKeySql(reach.network), '$1')) : [],
  }
}

/**
 * SQL: the enrolment rule for any row `r` of a dataset as it is now: `enrolledAs` with the results computed
 * for all rows at once.
 */
export async function datasetRule(
  client: Statements,
  { workspace_id, dataset_id }: { workspace_id: string; dataset_id: string },
  reach: Reach,
  /** Results computed already or left to the caller. */
  among?: FoundRows,
): Promise<string> {
  const listed = await rowsOnList(client, { workspace_id, dataset_id })
  const lists = await filledLists(client, workspace_id)
  const { replied, left, address, profile } = among ?? (await findRows(client, dataset_id, reach))
  const conditions = {
    replied: isAmong(replied),
    left: leftAmong(left),
    address: isAmong(address),
    profile: isAmong(profile),
  }
  return enrolledAs(reach, listed, conditions, lists)
}

/** A constant list, which Postgres looks up in a hash table. */
const isAmong = (leadIndexes: number[]): string =>
  leadIndexes.length === 0 ? 'false' : `r.lead_index = ANY ('{${leadIndexes.join(',')}}'::int[])`

/** Empty if nobody has left, so that nothing is checked. */
export const leftAmong = (leadIndexes: number[]): string =>
  leadIndexes.length === 0 ? '' : isAmong(leadIndexes)
