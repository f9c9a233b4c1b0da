import fc from 'fast-check'
import pg from 'pg'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type CopyTarget, copyLines, copyRows } from '#lib/db/copy'
import { copyField, copyJson, copyLine } from '#lib/db/copy-text'
import { withHeldParent } from '#lib/db/transaction'

const TARGET: CopyTarget = { table: 'copied', columns: ['id', 'n', 'note', 'data'] }
const ID = '018f0000-0000-7000-8000-000000000001'
const client = new pg.Client({ connectionString: process.env.DATABASE_URL })

beforeAll(() => client.connect())
afterAll(() => client.end())
beforeEach(() =>
  client.query(
    'create temp table if not exists copied (id uuid, n int, note text, data jsonb); truncate copied',
  ),
)

const stored = async () => (await client.query('select id, n, note, data from copied order by n')).rows

test('every text comes back as it went in, but for NUL, which Postgres cannot hold', async () => {
  const notes = [
    '',
    '\\N',
    '\\',
    'a\tb\nc\rd\\n',
    '\b\f\v',
    '🙂 王 “x”',
    "'; drop table copied; --",
    '\\.',
    '\u0001',
  ]
  const rows = notes.map((note, n) => [ID, n, note, JSON.stringify({ note })])
  expect(await copyRows(client, TARGET, [rows.slice(0, 4), [], rows.slice(4)])).toBe(notes.length)
  expect(await stored()).toEqual(notes.map((note, n) => ({ id: ID, n, note, data: { note } })))

  await copyRows(client, TARGET, [[[ID, 99, 'a\0b', null]]])
  expect((await stored()).at(-1)).toEqual({ id: ID, n: 99, note: 'ab', data: null })
})

test('JSON is escaped as any other text is', () => {
  const unit = fc.constantFrom('a', '\\', '"', '\n', '\t', '\u0001', '\u007f', 'é', '🙂', '\ud83d')
  fc.assert(
    fc.property(fc.dictionary(fc.string({ unit }), fc.string({ unit })), (value) => {
      expect(copyJson(value)).toBe(copyField(JSON.stringify(value)))
    }),
  )
})

test('nothing is copied when one line is bad, and the connection serves on', async () => {
  await expect(copyRows(client, TARGET, [[[ID, 1, 'good', '{}']], [[ID, 2, 'bad', '{']]])).rejects.toThrow(
    /json/,
  )
  expect(await stored()).toEqual([])
})

test('nothing is copied when the source fails half way', async () => {
  async function* source() {
    yield new TextEncoder().encode(copyLine([ID, 1, 'x', '{}']))
    throw new Error('the file ended')
  }
  await expect(copyLines(client, TARGET, source())).rejects.toThrow('the file ended')
  expect(await stored()).toEqual([])
})

test('no lines at all are no rows', async () => {
  expect(await copyLines(client, TARGET, [])).toBe(0)
  expect(await copyLines(client, TARGET, [new Uint8Array()])).toBe(0)
})

test('it stands or falls with its transaction', async () => {
  await client.query('begin')
  await copyRows(client, TARGET, [[[ID, 1, 'x', '{}']]])
  await client.query('rollback')
  expect(await stored()).toEqual([])
})

describe('rows of a parent that is held', () => {
  const CHILDREN: CopyTarget = { table: 'children', columns: ['parent'] }
  const AN_ORPHAN = 'INSERT INTO children VALUES (9)'
  async function* children() {
    yield new TextEncoder().encode('1\n2\n')
  }
  const held = (lines: AsyncIterable<Uint8Array>) =>
    withHeldParent(client, 'children', () => copyLines(client, CHILDREN, lines))
  const role = async () =>
    (await client.query('SHOW session_replication_role')).rows[0].session_replication_role

  beforeEach(async () => {
    await client.query(`BEGIN; CREATE TABLE parents (id int PRIMARY KEY); CREATE TABLE children (parent int REFERENCES parents);
      INSERT INTO parents VALUES (1)`)
  })
  afterEach(() => client.query('ROLLBACK'))

  test('are not asked for it where the role may spare them, and whatever comes after them is', async () => {
    expect(await held(children())).toBe(2)
    expect(await role()).toBe('origin')
    await expect(client.query(AN_ORPHAN)).rejects.toThrow(/foreign key/)
  })

  test('are asked where a trigger is to see them that would not fire, and not where it fires always', async () => {
    await client.query(
      `CREATE FUNCTION see() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN DELETE FROM children; RETURN NULL; END';
       CREATE TRIGGER see AFTER INSERT ON children FOR EACH STATEMENT EXECUTE FUNCTION see();
       ALTER TABLE children ENABLE ALWAYS TRIGGER see; SAVEPOINT before`,
    )
    await held(children())
    expect((await client.query('SELECT FROM children')).rowCount).toBe(0)
    await client.query('ROLLBACK TO before; ALTER TABLE children ENABLE TRIGGER see')
    await expect(held(children())).rejects.toThrow(/foreign key/)
  })

  test('are asked as ever where it may not', async () => {
    await client.query(
      'CREATE ROLE plain NOLOGIN; GRANT ALL ON parents, children TO plain; SET LOCAL ROLE plain',
    )
    await expect(held(children())).rejects.toThrow(/foreign key/)
  })

  test('a copy that fails leaves the connection as it was', async () => {
    async function* broken() {
      yield new TextEncoder().encode('x\n')
    }
    await expect(held(broken())).rejects.toThrow(/integer/)
    await client.query('ROLLBACK')
    expect(await role()).toBe('origin')
  })
})
