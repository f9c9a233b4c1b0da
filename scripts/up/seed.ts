// A separate process, so that the supervisor holds no database connection. Prints, as JSON, how to sign in.
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { openKeys } from '#lib/services/instance/open-keys'
import { ROOT } from '#scripts/up/settings'
import type { WayIn } from '#scripts/up/sign-in-lines'

await openKeys()
const file = path.join(ROOT, 'prisma/seed.ts')
if (existsSync(file)) {
  const { seed } = await import(pathToFileURL(file).href)
  await seed()
}
const { demoIsOpen, DEMO } = await import('#lib/services/workspaces/sign-in/demo-account')
const { firstAccountLink } = await import('#lib/services/workspaces/sign-in/first-account')
const wayIn: WayIn = { demo: (await demoIsOpen()) ? DEMO : null, link: await firstAccountLink(new Date()) }
console.log(JSON.stringify(wayIn))
process.exit(0)
