import { expect, test } from 'vitest'
import { ImportSpreadsheet } from '#lib/contracts/datasets/uploads'
import { db, pool } from '#lib/db/client'
import { importRows } from '#lib/services/datasets/import'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

const ROWS = 45_000

async function anImport(rows: number) {
  const lines = Array.from({ length: rows }, (_, n) => `lead${n}@a.example,Lead ${n}\n`).join('')
  const file = new File([`Email,Name\n${lines}`], 'leads.csv')
  const { status, body } = await call(ImportSpreadsheet, { as: await aUser(), body: { file } })
  expect(status).toBe(202)
  return { dataset_id: body.dataset_id, session_id: body.session_id ?? '' }
}

const rowsThere = (dataset_id: string) => db.datasetRow.count({ where: { dataset_id } })

async function isCopying(): Promise<boolean> {
  const { rows } = await pool().query(
    `SELECT 1 FROM pg_stat_activity WHERE state = 'active' AND datname = current_database() AND query LIKE 'COPY "dataset_rows"%'`,
  )
  return rows.length > 0
}

test('a dataset that is deleted while its rows come in takes them along, all of them', async () => {
  const { dataset_id, session_id } = await anImport(ROWS)
  let isOver = false
  const importing = importRows(dataset_id, session_id, new Date()).finally(() => {
    isOver = true
  })
  while (!isOver && !(await isCopying()));
  await pool().query('DELETE FROM datasets WHERE dataset_id = $1', [dataset_id])
  // The deletion waited until the rows were written.
  expect(await importing).toMatchObject({ kept: ROWS })
  expect(await rowsThere(dataset_id)).toBe(0)
})

test('of what sees rows come in, a copy leaves out the key to their dataset alone', async () => {
  const { rows } = await pool().query<{ definition: string }>(
    // 4: on insert.
    `SELECT pg_get_triggerdef(oid) AS definition FROM pg_trigger WHERE tgrelid = 'dataset_rows'::regclass AND tgtype & 4 = 4`,
  )
  expect(rows.map(({ definition }) => definition)).toEqual([
    expect.stringMatching(/FROM datasets .*RI_FKey_check_ins/),
  ])
})
