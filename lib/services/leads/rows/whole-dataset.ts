import type { Statements } from '#lib/db/statements'
import {
  enrolledAs,
  profileKeySql,
  type Reach,
  repeatedAddresses,
  repeatedRows,
  repliedRows,
} from '#lib/services/leads/enrolment-rule'
import { filledLists, rowsOnList } from '#lib/services/leads/on-list'

/** Rows of a dataset, by lead_index: each is found among all of them at once, since to ask for each row costs more than all else. */
export type FoundRows = {
  /** Whose person replied to another campaign. */
  replied: number[]
  /** That have the address, or the profile, of an earlier row. */
  address: number[]
  profile: number[]
}

export const NONE_FOUND: FoundRows = { replied: [], address: [], profile: [] }

export async function findRows(client: Statements, dataset_id: string, reach: Reach): Promise<FoundRows> {
  const find = async (sql: string): Promise<number[]> => {
    const { rows } = await client.query<{ indexes: number[] }>(
      `SELECT coalesce(array_agg(lead_index), '{}') AS indexes FROM (${sql}) found`,
      [dataset_id],
    )
    return rows[0]?.indexes ?? []
  }
  return {
    replied: await find(repliedRows('$1')),
    address: await find(repeatedAddresses('$1')),
    profile: reach.network ? await find(repeatedRows(profileKeySql(reach.network), '$1')) : [],
  }
}

/** SQL of the rule for any row `r` of a dataset, as it stands now: `enrolledAs` with what is found for all rows at once. */
export async function datasetRule(
  client: Statements,
  { workspace_id, dataset_id }: { workspace_id: string; dataset_id: string },
  reach: Reach,
  /** What was found already, or is left to the caller. */
  among?: FoundRows,
): Promise<string> {
  const listed = await rowsOnList(client, { workspace_id, dataset_id })
  const lists = await filledLists(client, workspace_id)
  const { replied, address, profile } = among ?? (await findRows(client, dataset_id, reach))
  const conditions = { replied: isAmong(replied), address: isAmong(address), profile: isAmong(profile) }
  return enrolledAs(reach, listed, conditions, lists)
}

/** A constant list, which Postgres looks up in a table of hashes. */
const isAmong = (leadIndexes: number[]): string =>
  leadIndexes.length === 0 ? 'false' : `r.lead_index = ANY ('{${leadIndexes.join(',')}}'::int[])`
