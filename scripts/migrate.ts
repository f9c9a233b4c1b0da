// npm run db:migrate: migrates the database of DATABASE_URL to this version. For deployments without `npm run up`.
import { applyMigrations } from '#lib/db/migrate'

const url = process.env.DATABASE_URL
if (!url) {
  console.error('Set DATABASE_URL to the database to migrate.')
  process.exit(1)
}
await applyMigrations(url)
console.log('The database is up to date.')
