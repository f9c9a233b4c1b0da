// A process of its own, so that the supervisor holds no connection to the database.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ROOT } from '#scripts/up/settings'

const file = path.join(ROOT, 'prisma/seed.ts')
if (existsSync(file)) {
  const { seed } = await import(pathToFileURL(file).href)
  await seed()
}
process.exit(0)
