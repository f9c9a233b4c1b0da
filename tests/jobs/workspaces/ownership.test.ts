import { expect, test } from 'vitest'
import { pool } from '#lib/db/client'

/** Tables in which a row may belong to no workspace, and the reason. */
const MAY_NAME_NONE: Record<string, string> = {
  user_sessions: 'its person has not chosen one in it yet',
  sandbox_messages: 'mail that somebody from outside sent',
}

type Table = { name: string; is_named: boolean; may_be_null: boolean }
/** A reference that every row has. */
type Reference = { from: string; to: string }

async function readTables(): Promise<Table[]> {
  const { rows } = await pool().query<Table>(
    `SELECT c.relname AS name, a.attname IS NOT NULL AS is_named, coalesce(NOT a.attnotnull, false) AS may_be_null
     FROM pg_class c LEFT JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'workspace_id' AND NOT a.attisdropped
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`,
  )
  return rows
}

async function readReferences(): Promise<Reference[]> {
  const { rows } = await pool().query<Reference>(
    `SELECT f.relname AS "from", t.relname AS "to" FROM pg_constraint k
       JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND f.relnamespace = 'public'::regnamespace AND k.convalidated AND NOT EXISTS (
       SELECT 1 FROM pg_attribute a WHERE a.attrelid = f.oid AND a.attnum = ANY (k.conkey) AND NOT a.attnotnull)`,
  )
  return rows
}

test('no row of a workspace is without it', async () => {
  const nullable = (await readTables()).filter(({ may_be_null }) => may_be_null).map(({ name }) => name)
  expect(nullable).toEqual(Object.keys(MAY_NAME_NONE).toSorted())
})

test('every row that names a workspace refers to it, or to what does, and goes with it', async () => {
  const [tables, references] = [await readTables(), await readReferences()]
  const held = new Set(['workspaces'])
  for (let before = 0; before < held.size; ) {
    before = held.size
    for (const { from, to } of references) if (held.has(to)) held.add(from)
  }
  const loose = tables.filter(
    ({ name, is_named, may_be_null }) => is_named && !may_be_null && !held.has(name),
  )
  expect(loose.map(({ name }) => name)).toEqual([])
})
