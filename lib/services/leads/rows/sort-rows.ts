import type { Statements } from '#lib/db/statements'
import {
  columnFinder,
  type GivenRow,
  judgeGivenRow,
  MAX_ROWS,
  type RowCode,
} from '#lib/domain/datasets/given-rows'
import type { LockedDataset } from '#lib/services/leads/rows/locked-dataset'
import { findByAddress, findByProfile, type KeptRow } from '#lib/services/leads/rows/write-rows'

export type Skipped<Code extends string = RowCode> = { index: number; code: Code; message: string }

export type KnownRow = KeptRow & { lead_index: number }

type SortedRows = {
  added: KeptRow[]
  /** Rows that the dataset already has, with their places. */
  known: KnownRow[]
  skipped: Skipped[]
  columns: ReturnType<typeof columnFinder>
}

/** Separates rows that are new to a locked dataset from those it has and those it cannot take. */
export async function sortRows(
  client: Statements,
  dataset: LockedDataset,
  given: GivenRow[],
): Promise<SortedRows> {
  const columns = columnFinder(dataset.columns)
  const skipped: Skipped[] = []
  const kept: KeptRow[] = []
  for (const [index, row] of given.entries()) {
    const verdict = judgeGivenRow(row, columns)
    if (verdict.kind === 'refused') skipped.push({ index, code: verdict.code, message: verdict.message })
    else if (Object.keys(verdict.cells).length === 0)
      skipped.push({ index, code: 'empty_row', message: 'The row is empty.' })
    else kept.push({ index, email: verdict.email, cells: verdict.cells })
  }
  const emails = [...new Set(kept.flatMap(({ email }) => email ?? []))]
  const byAddress = await findByAddress(client, dataset.dataset_id, emails)
  const byProfile = await findByProfile(client, dataset.dataset_id, kept)
  const seen = new Map<string, number>()
  const added: KeptRow[] = []
  const known = new Map<number, KnownRow>()
  for (const row of kept) {
    const { index, email } = row
    const profile = email === null ? byProfile.get(index) : undefined
    const before = email === null ? profile?.first_index : seen.get(email)
    const lead_index = email === null ? profile?.lead_index : byAddress.get(email)
    if (email !== null && before === undefined) seen.set(email, index)
    if (before !== undefined && before !== index) skipped.push(repeated(row, before))
    else if (lead_index !== undefined && lead_index !== null) {
      const twin = known.get(lead_index)
      if (twin) skipped.push(sameRow(row, twin))
      else known.set(lead_index, { ...row, lead_index })
    } else if (dataset.row_count + added.length >= MAX_ROWS)
      skipped.push({ index, code: 'too_many_rows', message: `A dataset has at most ${MAX_ROWS} rows.` })
    else added.push(row)
  }
  return { added, known: [...known.values()], skipped, columns }
}

const repeated = ({ index, email }: KeptRow, before: number): Skipped =>
  email === null
    ? { index, code: 'duplicate_profile', message: `Row ${before} of the request has the same profile.` }
    : { index, code: 'duplicate_email', message: `Row ${before} of the request has the same address.` }

/** Two rows that name the same dataset row, one by its address and the other by its profile. */
const sameRow = ({ index, email }: KeptRow, twin: KnownRow): Skipped => ({
  index,
  code: email === null ? 'duplicate_profile' : 'duplicate_email',
  message: `Row ${twin.index} of the request is the same row of the dataset, row ${twin.lead_index + 1}.`,
})

/** Why a row that the dataset already has is left unchanged. */
export const alreadyThere = ({ index, email, lead_index }: KnownRow): Skipped =>
  email === null
    ? {
        index,
        code: 'duplicate_profile',
        message: `Row ${lead_index + 1} of the dataset has the same profile.`,
      }
    : {
        index,
        code: 'duplicate_email',
        message: `Row ${lead_index + 1} of the dataset has the same address.`,
      }

/** The keys of the columns that these rows fill. */
export const filledKeys = (rows: readonly KeptRow[]): Set<string> =>
  new Set(rows.flatMap(({ cells }) => Object.keys(cells)))

export const inOrder = <Code extends string>(skipped: Skipped<Code>[]): Skipped<Code>[] =>
  skipped.toSorted((a, b) => a.index - b.index)
