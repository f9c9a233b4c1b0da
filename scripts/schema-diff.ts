import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { PrismaPg } from '@prisma/adapter-pg'
import { bindMigrationAwareSqlAdapterFactory, ColumnTypeEnum } from '@prisma/driver-adapter-utils'
import * as bindings from '@prisma/schema-engine-wasm/schema_engine_bg'
import pg from 'pg'
import { applyMigrations } from '#lib/db/migrate'

const PRISMA = path.resolve(import.meta.dirname, '../prisma')

/**
 * The SQL that leads from the migrations to schema.prisma: empty if they agree. Uses Prisma's own engine as WebAssembly, so
 * nothing is downloaded. Needs a server on which it may create (and drop) a database. It ignores what schema.prisma cannot
 * express: CHECKs, triggers, partial indexes.
 */
export async function schemaDiff(adminUrl: string): Promise<string> {
  const admin = new pg.Client({ connectionString: adminUrl })
  await admin.connect()
  const name = `schema_diff_${randomUUID().replaceAll('-', '')}`
  await admin.query(`create database ${name}`)
  try {
    const migrated = new URL(adminUrl)
    migrated.pathname = `/${name}`
    // The engine cannot apply them: its adapter splits scripts at every ";", even inside functions.
    await applyMigrations(migrated.href)
    return await diffAgainst(migrated.href)
  } finally {
    await admin.query(`drop database ${name} with (force)`)
    await admin.end()
  }
}

async function diffAgainst(databaseUrl: string): Promise<string> {
  await loadEngine()
  const content = readFileSync(path.join(PRISMA, 'schema.prisma'), 'utf8')
  const schema = { path: 'schema.prisma', content }
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 1 })
  // Its connection may still be closing when the database is dropped.
  pool.on('error', () => undefined)
  try {
    const factory = new PrismaPg(pool)
    const connected = await factory.connect()
    readChar(pool, connected)
    // The engine wants a shadow database in which to run the migrations: it gets the migrated one.
    factory.connect = factory.connectToShadowDb = async () => connected
    const adapter = bindMigrationAwareSqlAdapterFactory(factory)
    const datamodels: [string, string][] = [[schema.path, content]]
    const engine = await bindings.SchemaEngine.new({ datamodels }, () => undefined, adapter)
    const { stdout } = await engine.diff({
      from: { tag: 'migrations', ...NO_MIGRATIONS },
      to: { tag: 'schemaDatamodel', files: [schema] },
      script: true,
      exitCode: null,
      filters: { externalTables: [], externalEnums: [] },
    })
    const sql = (stdout ?? '').trim()
    return sql === '-- This is an empty migration.' ? '' : sql
  } finally {
    await pool.end()
  }
}

const NO_MIGRATIONS = {
  baseDir: path.join(PRISMA, 'migrations'),
  lockfile: { path: 'migration_lock.toml', content: 'provider = "postgresql"\n' },
  shadowDbInitScript: '',
  migrationDirectories: [],
}

type Connected = Awaited<ReturnType<PrismaPg['connect']>>

/** Prisma's adapter does not know the catalog's one-letter type "char" (18): it is read as text and passed on as character. */
function readChar(pool: pg.Pool, connected: Connected) {
  let letters: number[] = []
  const query = pool.query.bind(pool) as (config: pg.QueryConfig) => Promise<pg.QueryResult>
  const reading = async (config: pg.QueryConfig) => {
    const result = await query(config)
    letters = result.fields.flatMap((field, at) => (field.dataTypeID === 18 ? [at] : []))
    for (const field of result.fields) if (field.dataTypeID === 18) field.dataTypeID = 25
    return result
  }
  Object.assign(pool, { query: reading })
  const queryRaw = connected.queryRaw.bind(connected)
  connected.queryRaw = async (asked) => {
    const result = await queryRaw(asked)
    for (const at of letters) result.columnTypes[at] = ColumnTypeEnum.Character
    return result
  }
}

let loaded: Promise<void> | undefined

/** Node cannot import the .wasm file by itself, so its bindings are connected by hand, once. */
function loadEngine(): Promise<void> {
  loaded ??= (async () => {
    Object.assign(globalThis, { PRISMA_WASM_PANIC_REGISTRY: { set_message: console.error } })
    const file = createRequire(import.meta.url).resolve('@prisma/schema-engine-wasm/schema_engine_bg')
    const bytes = readFileSync(path.join(path.dirname(file), 'schema_engine_bg.wasm'))
    const imports = { './schema_engine_bg.js': bindings as unknown as WebAssembly.ModuleImports }
    const { instance } = await WebAssembly.instantiate(bytes, imports)
    bindings.__wbg_set_wasm(instance.exports)
    const start = instance.exports.__wbindgen_start
    if (typeof start === 'function') start()
  })()
  return loaded
}
