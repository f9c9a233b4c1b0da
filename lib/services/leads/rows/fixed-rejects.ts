import type { z } from 'zod'
import type { ImportDatasetRejects } from '#lib/contracts/datasets/dataset-rows'
import { pool } from '#lib/db/client'
import type { Statements } from '#lib/db/statements'
import { inTransaction } from '#lib/db/transaction'
import { columnFinder, type GivenRow } from '#lib/domain/datasets/given-rows'
import { AppError } from '#lib/errors'
import { lockDataset } from '#lib/services/leads/rows/locked-dataset'
import { alreadyThere, filledKeys, inOrder, type Skipped, sortRows } from '#lib/services/leads/rows/sort-rows'
import { describeDataset, insertRows } from '#lib/services/leads/rows/write-rows'

type Fixed = z.output<typeof ImportDatasetRejects.body>['rows']
type Reject = { row_number: number; code: string; data: Record<string, string> | null }

/** Rejects about the address: without a valid one, the row cannot become a lead. */
const ABOUT_ADDRESS = ['missing_email', 'invalid_email', 'duplicate_email']

/**
 * Imports refused rows with the corrections made to them. Rows that are valid now become dataset rows; the
 * others stay refused.
 */
export async function importDatasetRejects(
  workspaceId: string,
  datasetId: string,
  { rows }: z.output<typeof ImportDatasetRejects.body>,
  now: Date,
) {
  return inTransaction(pool(), async (client) => {
    const dataset = await lockDataset(client, workspaceId, datasetId)
    const rejects = await findRejects(client, datasetId, rows)
    const { findKey } = columnFinder(dataset.columns)
    const whole = rows.map(({ row_number, data }): GivenRow => {
      const fixed = Object.fromEntries(
        Object.entries(data).map(([name, cell]) => [findKey(name) || name, cell]),
      )
      return { ...rejects.get(row_number)?.data, ...fixed }
    })
    const { added, known, skipped, columns } = await sortRows(client, dataset, whole)
    const needsAddress = ({ index, email }: { index: number; email: string | null }) =>
      email === null && ABOUT_ADDRESS.includes(rejects.get(rows[index]?.row_number ?? 0)?.code ?? '')
    const taken = added.filter((row) => !needsAddress(row))
    const homeless = added.filter(needsAddress).map(withoutAddress)
    await insertRows(client, dataset, taken)
    await dropRejects(
      client,
      datasetId,
      taken.flatMap(({ index }) => rows[index]?.row_number ?? []),
    )
    const grown = {
      columns: columns.withNew(filledKeys(taken)),
      added: taken.length,
      next_lead_index: dataset.next_lead_index + taken.length,
    }
    await describeDataset(client, datasetId, grown, now)
    return {
      added: taken.length,
      updated: 0,
      skipped: inOrder([...skipped, ...homeless, ...known.map(alreadyThere)]),
    }
  })
}

const withoutAddress = ({ index }: { index: number }): Skipped => ({
  index,
  code: 'missing_email',
  message: 'The row has no email address.',
})

async function findRejects(
  client: Statements,
  datasetId: string,
  fixed: Fixed,
): Promise<Map<number, Reject>> {
  const { rows } = await client.query<Reject>(
    `SELECT row_number, code, data FROM dataset_rejects WHERE dataset_id = $1::uuid AND row_number = ANY ($2::int[])`,
    [datasetId, fixed.map(({ row_number }) => row_number)],
  )
  const known = new Map(rows.map((row) => [row.row_number, row]))
  const gone = fixed.find(({ row_number }) => !known.has(row_number))
  if (gone)
    throw new AppError('row_not_found', { message: `Row ${gone.row_number} is not among the refused rows.` })
  return known
}

async function dropRejects(client: Statements, datasetId: string, numbers: number[]): Promise<void> {
  await client.query(
    `WITH gone AS (DELETE FROM dataset_rejects WHERE dataset_id = $1::uuid AND row_number = ANY ($2::int[]) RETURNING 1)
     UPDATE datasets SET reject_count = greatest(0, reject_count - (SELECT count(*)::int FROM gone))
     WHERE dataset_id = $1::uuid`,
    [datasetId, numbers],
  )
}
