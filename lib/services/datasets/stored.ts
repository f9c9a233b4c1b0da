import { z } from 'zod'
import { DatasetColumn } from '#lib/contracts/datasets/datasets'

const Columns = z.array(DatasetColumn)
const Cells = z.record(z.string(), z.string())

/** The columns of a dataset, as a JSON column keeps them. */
export const storedColumns = (dataset: { columns: unknown }) => Columns.parse(dataset.columns)

/** The cells of one row; not for whole lists, which know what they ask Postgres for. */
export const storedCells = (row: { data: unknown } | null) => Cells.parse(row?.data ?? {})
