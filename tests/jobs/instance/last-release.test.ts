import * as fs from 'node:fs'
import pg from 'pg'
import { expect, inject, test } from 'vitest'
import { applyMigrations, readMigrations } from '#lib/db/migrate'
import { breaks, excusesOf, ignoredColumns, type Shape, shapeOf } from '#tests/support/code/schema-shape'

const { adminUrl } = inject('postgres')

/** The schema.prisma of the last release, whose first line names the last migration that it has. Absent before the first release. */
const RELEASED = 'prisma/released.prisma'

async function withDatabase<T>(
  name: string,
  work: (client: pg.Client, url: string) => Promise<T>,
): Promise<T> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  await admin.query(`drop database if exists ${name} with (force)`)
  await admin.query(`create database ${name}`)
  const url = Object.assign(new URL(adminUrl), { pathname: `/${name}` }).href
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await work(client, url)
  } finally {
    await client.end()
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

const shapeAfter = (name: string, migrations: ReturnType<typeof readMigrations>): Promise<Shape> =>
  withDatabase(name, async (client, url) => {
    await applyMigrations(url, migrations)
    return shapeOf(client)
  })

const all = readMigrations()

/** What the code of the last release cannot do on the schema of this version. */
async function brokenSince(released: string): Promise<string[]> {
  const last = /^\/\/ migrations to (\S+)$/m.exec(released)?.[1] ?? 'no migration is named'
  expect(all.map(({ name }) => name)).toContain(last)
  const newer = all.filter(({ name }) => name > last)
  const before = await shapeAfter(
    'release_before',
    all.filter(({ name }) => name <= last),
  )
  const after = await shapeAfter('release_after', all)
  const excused = newer.flatMap(({ sql }) => excusesOf(sql))
  return breaks(before, after, { unused: ignoredColumns(released), excused })
}

test('the code of the last release works on this schema', async () => {
  const isReleased = /^## \d/m.test(fs.readFileSync('CHANGELOG.md', 'utf8'))
  // A release without this file would never be checked.
  expect(fs.existsSync(RELEASED)).toBe(isReleased)
  if (isReleased) expect(await brokenSince(fs.readFileSync(RELEASED, 'utf8'))).toEqual([])
})

test('a schema of now, noted as a release, is one that this version works with', async () => {
  const schema = fs.readFileSync('prisma/schema.prisma', 'utf8')
  expect(await brokenSince(`// migrations to ${all.at(-1)?.name}\n${schema}`)).toEqual([])
})

const RELEASE = `
CREATE TYPE mood AS ENUM ('good', 'bad');
CREATE TABLE things (id int PRIMARY KEY, name text NOT NULL, note text, old text NOT NULL DEFAULT '', mood mood);`
const KNOWS = `model Thing {\n  id Int @id\n  name String\n  note String?\n  old String @default("") @ignore\n  @@map("things")\n}`

test.each([
  ['a table more', 'CREATE TABLE others (id int PRIMARY KEY, name text NOT NULL)', []],
  ['a column that may be null', 'ALTER TABLE things ADD COLUMN more text', []],
  ['a column with a default', "ALTER TABLE things ADD COLUMN more text NOT NULL DEFAULT ''", []],
  ['a value more', "ALTER TYPE mood ADD VALUE 'fair'", []],
  ['a column gone that the release ignored', 'ALTER TABLE things DROP COLUMN old', []],
  ['a column gone', 'ALTER TABLE things DROP COLUMN note', ['things.note is gone']],
  [
    'a table gone',
    'DROP TABLE things',
    ['things.id is gone', 'things.name is gone', 'things.note is gone', 'things.mood is gone'],
  ],
  [
    'a column renamed',
    'ALTER TABLE things RENAME COLUMN name TO title',
    ['things.name is gone', 'things.title is new, and has neither null nor a default'],
  ],
  [
    'another type',
    'ALTER TABLE things ALTER COLUMN name TYPE varchar(9)',
    ['things.name was text and is character varying(9)'],
  ],
  [
    'no null any more',
    'ALTER TABLE things ALTER COLUMN note SET NOT NULL',
    ['things.note takes no null any more'],
  ],
  [
    'a column that must be given',
    'ALTER TABLE things ADD COLUMN more text NOT NULL',
    ['things.more is new, and has neither null nor a default'],
  ],
  ['a value gone', "ALTER TYPE mood RENAME VALUE 'bad' TO 'poor'", ['mood bad is no value any more']],
  [
    'a check more',
    "ALTER TABLE things ADD CONSTRAINT named CHECK (name <> '')",
    ["things.named may refuse what it writes: CHECK ((name <> ''::text))"],
  ],
  [
    'a check more that says why it refuses nothing',
    "-- refuses nothing of the last release: things.named, because it never wrote empty names\nALTER TABLE things ADD CONSTRAINT named CHECK (name <> '')",
    [],
  ],
  [
    'one of a kind',
    'CREATE UNIQUE INDEX things_name ON things (name)',
    [
      'things.things_name may refuse what it writes: CREATE UNIQUE INDEX things_name ON public.things USING btree (name)',
    ],
  ],
])('%s: what the release before cannot do then is named', async (_, sql, said) => {
  await withDatabase('release_sample', async (client) => {
    await client.query(RELEASE)
    const before = await shapeOf(client)
    await client.query(sql)
    const after = await shapeOf(client)
    expect(breaks(before, after, { unused: ignoredColumns(KNOWS), excused: excusesOf(sql) })).toEqual(said)
  })
})
