// npm test [-- SUITE... [FILTER...]]: all suites, or the named ones; ends with "N passed, N failed". `security` runs its own
// files, and the files of other suites that docs/security.md names, except browser tests.
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { runPlaywright, runVitest, type Tally } from '#scripts/suites'
import { generateClient } from '#scripts/up/build'
import { explain } from '#scripts/up/trouble'

const VITEST = ['unit', 'architecture', 'api', 'jobs', 'security', 'simulation']
const SUITES = [...VITEST, 'e2e']

const args = process.argv.slice(2)
const filters = args.filter((arg) => !SUITES.includes(arg))
const named = SUITES.filter((suite) => args.includes(suite))
const isSecurity = named.join() === 'security' && filters.length === 0
const chosen = isSecurity ? VITEST : named.length > 0 ? named : SUITES
if (isSecurity) filters.push('tests/security/', ...filesNamed(fs.readFileSync('docs/security.md', 'utf8')))

// Ctrl-C reaches the runners too: they end, then the result so far is printed.
process.on('SIGINT', () => undefined)
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-report-'))
const total: Tally = { passed: 0, failed: 0, failures: [] }
try {
  await generateClient()
  const suites = chosen.filter((suite) => VITEST.includes(suite))
  if (suites.length > 0) add(await runVitest(suites, filters, folder))
  if (chosen.includes('e2e')) add(await runPlaywright(filters, folder))
} catch (error) {
  console.error(explain(error, folder))
  total.failed += 1
} finally {
  fs.rmSync(folder, { recursive: true, force: true })
}
// The browser suite ran afterwards, so earlier failures are printed again at the end.
for (const failure of total.failures) console.log(`\nFailed: ${failure}\n`)
console.log(`${total.passed} passed, ${total.failed} failed`)
// A run without tests proves nothing.
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1)

/** The test files that a document names, as `api/http/isolation` · a title. */
function filesNamed(document: string): string[] {
  const named = document.matchAll(/`((?:unit|architecture|api|jobs)\/[\w/-]+)` · /g)
  return [...new Set([...named].map(([, file]) => `tests/${file}.test.ts`))]
}

function add({ passed, failed, failures }: Tally) {
  total.passed += passed
  total.failed += failed
  total.failures.push(...failures)
}
