import { z } from 'zod'
import { DatasetColumn } from '#lib/contracts/datasets/datasets'

const Columns = z.array(DatasetColumn)
const Cells = z.record(z.string(), z.string())

/** Parses a dataset's columns from their JSON column. */
export const storedColumns = (dataset: { columns: unknown }) => Columns.parse(dataset.columns)

/** The cells of one row. Not for lists of rows, which select the cells they need in SQL. */
export const storedCells = (row: { data: unknown } | null) => Cells.parse(row?.data ?? {})
