import type pg from 'pg'

type Column = { type: string; is_nullable: boolean; has_default: boolean }

/** What the code of a version relies on in a database: columns by `table.column`, enum values, and whatever can refuse rows. */
export type Shape = {
  columns: Map<string, Column>
  values: Set<string>
  /** Definitions of constraints and unique indexes, by `table.name`. */
  refusals: Map<string, string>
}

export async function shapeOf(client: pg.ClientBase): Promise<Shape> {
  const columns = await client.query<Column & { name: string }>(
    `SELECT c.relname || '.' || a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type,
       NOT a.attnotnull AS is_nullable, a.atthasdef OR a.attidentity <> '' AS has_default
     FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
     WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND a.attnum > 0 AND NOT a.attisdropped`,
  )
  const values = await client.query<{ value: string }>(
    `SELECT t.typname || ' ' || e.enumlabel AS value FROM pg_enum e JOIN pg_type t ON t.oid = e.enumtypid`,
  )
  const refusals = await client.query<{ name: string; definition: string }>(
    `SELECT conrelid::regclass || '.' || conname AS name, pg_get_constraintdef(oid) AS definition FROM pg_constraint
       WHERE connamespace = 'public'::regnamespace AND contype IN ('c', 'f', 'x')
     UNION ALL SELECT indrelid::regclass || '.' || indexrelid::regclass, pg_get_indexdef(indexrelid) FROM pg_index
       JOIN pg_class c ON c.oid = indrelid WHERE indisunique AND c.relnamespace = 'public'::regnamespace`,
  )
  return {
    columns: new Map(columns.rows.map(({ name, ...column }) => [name, column])),
    values: new Set(values.rows.map(({ value }) => value)),
    refusals: new Map(refusals.rows.map(({ name, definition }) => [name, definition])),
  }
}

const tableOf = (name: string) => name.split('.')[0] ?? ''

/**
 * What code written for the schema `before` can no longer do on `after`. `unused` are columns that the code does not name;
 * `excused` are constraints that are known to refuse none of the rows that the code writes.
 */
export function breaks(
  before: Shape,
  after: Shape,
  { unused = [], excused = [] }: { unused?: string[]; excused?: string[] } = {},
): string[] {
  const said: string[] = []
  const known = new Set([...before.columns.keys()].map(tableOf))
  for (const [name, was] of before.columns) {
    if (unused.includes(name)) continue
    const is = after.columns.get(name)
    if (!is) said.push(`${name} is gone`)
    else if (is.type !== was.type) said.push(`${name} was ${was.type} and is ${is.type}`)
    else if (was.is_nullable && !is.is_nullable) said.push(`${name} takes no null any more`)
    else if (was.has_default && !is.has_default && !is.is_nullable)
      said.push(`${name} has no default any more`)
  }
  for (const [name, is] of after.columns)
    if (known.has(tableOf(name)) && !before.columns.has(name) && !is.is_nullable && !is.has_default)
      said.push(`${name} is new, and has neither null nor a default`)
  for (const value of before.values) if (!after.values.has(value)) said.push(`${value} is no value any more`)
  for (const [name, definition] of after.refusals)
    if (known.has(tableOf(name)) && before.refusals.get(name) !== definition && !excused.includes(name))
      said.push(`${name} may refuse what it writes: ${definition}`)
  return said
}

/** The columns of a schema.prisma that its client never names: fields with `@ignore`, in all models. */
export function ignoredColumns(schema: string): string[] {
  return schema
    .split(/^model /m)
    .slice(1)
    .flatMap((model) => {
      const table = /@@map\("(\w+)"\)/.exec(model)?.[1] ?? ''
      const lines = model.split('\n').filter((line) => /\s@ignore(\s|$)/.test(line))
      return lines.map(
        (line) => `${table}.${/@map\("(\w+)"\)/.exec(line)?.[1] ?? line.trim().split(/\s/)[0]}`,
      )
    })
}

/** The constraints that migrations add and excuse: `-- refuses nothing of the last release: table.name, because …`. */
export const excusesOf = (sql: string): string[] =>
  [...sql.matchAll(/^-- refuses nothing of the last release: (\S+), because \S/gm)].map(
    ([, name = '']) => name,
  )
