// npm run timings [-- pages|scroll|tabs …] [part of an address …]: measures how fast a running instance's pages load, react and
// scroll, and what open tabs cost it; writes tools/timings/pages.md. It creates users and removes them at the end. DATA_DIR names
// the instance. Run it on an otherwise idle machine.
import { randomUUID } from 'node:crypto'
import { readRunFile } from '#scripts/up/run-file'
import { readSettings } from '#scripts/up/settings'
import { timePages } from './timings/pages.ts'
import { timeScrolling } from './timings/scroll.ts'
import { keepSheets } from './timings/sheet.ts'
import { openBrowser, signedIn } from './timings/visit.ts'

const PARTS = ['pages', 'scroll', 'tabs']

const run = readRunFile(readSettings().dataFolder)
if (!run) {
  console.error('Opener is not running: start it with `npm run up` in another terminal.')
  process.exit(1)
}
Object.assign(process.env, run.env)
// Imported here, because these modules read the environment.
const { closeDatabase } = await import('#lib/db/client')
const { createUserWithPassword } = await import('#lib/services/workspaces/users')
const { aShowcase } = await import('#tests/support/scenes/showcase')
const { forget, longLists } = await import('./timings/seed.ts')
const { timeTabs } = await import('./timings/tabs.ts')

const named = process.argv.slice(2).filter((word) => PARTS.includes(word))
const wanted = process.argv.slice(2).filter((word) => !PARTS.includes(word))
const runs = (part: string) => (named.length > 0 ? named.includes(part) : true)

const person = { email: `timings-${randomUUID().slice(0, 8)}@example.com`, password: randomUUID() }
const made = await createUserWithPassword(person.email, 'Dana Demo', person.password)
if (!made) throw new Error(`${person.email} exists already.`)
const { workspace_id, user_id } = made
const owner = { workspace_id, user_id, email: person.email }
const browser = await openBrowser()
try {
  const cookies = await signedIn(browser, run.url, person)
  const visit = { url: run.url, browser, cookies }
  if (runs('pages')) {
    const ids = await aShowcase(owner, new Date())
    keepSheets([await timePages({ ...visit, ids }, wanted)])
  }
  if (runs('scroll')) {
    const { leads, rows } = await longLists(owner)
    keepSheets([
      await timeScrolling(visit, [
        ['leads of a campaign', leads, 'Leads of the campaign'],
        ['rows of a dataset', rows, 'Dataset leads'],
      ]),
    ])
  }
  await browser.close()
  const cookie_name = cookies.find(({ name }) => name.endsWith('.session'))?.name ?? ''
  const secret = run.env.NEXTAUTH_SECRET ?? ''
  if (runs('tabs')) keepSheets([await timeTabs({ url: run.url, pid: run.pid, secret, cookie_name })])
} finally {
  await browser.close()
  await forget([owner.user_id])
  await closeDatabase()
}
console.log('tools/timings/pages.md')
