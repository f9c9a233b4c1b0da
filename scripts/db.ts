// npm run db:migration -- NAME [--empty]: writes prisma/migrations/<time>_NAME/migration.sql
import * as fs from 'node:fs'
import path from 'node:path'
import { schemaDiff } from '#scripts/schema-diff'
import { throwawayPostgres } from '#tests/support/files/throwaway'

const MIGRATIONS = path.resolve(import.meta.dirname, '../prisma/migrations')

const [name, ...flags] = process.argv.slice(2)
if (!name || !/^[a-z0-9_]+$/.test(name)) {
  console.error('Usage: npm run db:migration -- NAME [--empty]   (a-z, 0-9 and _; --empty for SQL by hand)')
  process.exit(1)
}

const sql = flags.includes('--empty') ? '-- Why: \n' : await differenceSql()
if (sql) console.log(`Wrote ${write(name, sql)}`)
else console.log('schema.prisma and the migrations agree: nothing to write (use --empty for SQL by hand).')

async function differenceSql(): Promise<string> {
  const postgres = await throwawayPostgres()
  try {
    return await schemaDiff(postgres.url)
  } finally {
    await postgres.stop()
  }
}

function write(label: string, text: string): string {
  const time = new Date().toISOString().replace(/\D/g, '').slice(0, 14)
  const folder = path.join(MIGRATIONS, `${time}_${label}`)
  fs.mkdirSync(folder, { recursive: true })
  fs.writeFileSync(path.join(MIGRATIONS, 'migration_lock.toml'), 'provider = "postgresql"\n')
  fs.writeFileSync(path.join(folder, 'migration.sql'), `${text}\n`)
  return path.relative(process.cwd(), path.join(folder, 'migration.sql'))
}
