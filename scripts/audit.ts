// npm run audit: known vulnerabilities of the packages that an instance runs with. If the registry does not answer, the installed
// packages are checked against a stored list, and the output says so.
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { type Advisory, knownWeaknesses, type Lock } from '#scripts/audit/known-weaknesses'
import { ROOT } from '#scripts/up/settings'

type Report = {
  error?: unknown
  message?: string
  metadata?: { vulnerabilities: Record<string, number>; dependencies: { prod: number } }
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
}

/** npm exits with 1 both if it found something and if it could not check: only its output tells the two apart. */
function ask(): Promise<Report> {
  return new Promise((resolve) => {
    execFile('npm', ['audit', '--omit=dev', '--json'], { cwd: ROOT, maxBuffer: 1e8 }, (error, stdout) => {
      try {
        resolve(JSON.parse(stdout))
      } catch {
        resolve({ error: error?.message ?? 'npm said nothing' })
      }
    })
  })
}

const readJson = (file: string) => JSON.parse(readFileSync(path.join(ROOT, file), 'utf8'))

/** Ends the process: with 1 if something was found, with 0 if no installed package is on the list. */
function askList(said: unknown): never {
  const stored: { source: string; taken_on: string; advisories: Advisory[] } = readJson(
    'scripts/audit/advisories.json',
  )
  const lock: Lock = readJson('package-lock.json')
  console.log(`The package registry gave no answer about known weaknesses: ${said}`)
  const weaknesses = knownWeaknesses(lock, stored.advisories)
  for (const { id, name, version, summary } of weaknesses)
    console.log(`${id}: ${name} ${version}: ${summary}`)
  console.log(
    `${Object.keys(lock.packages).length} packages held against ${stored.advisories.length} stored advisories of ${stored.taken_on} alone, ${weaknesses.length} with known weaknesses. Ask again with another registry: npm_config_registry=https://… npm run audit`,
  )
  process.exit(weaknesses.length > 0 ? 1 : 0)
}

const report = await ask()
if (!report.metadata || !report.vulnerabilities)
  askList(report.message ?? JSON.stringify(report.error ?? report))
const weaknesses = Object.values(report.vulnerabilities)
for (const { name, severity, range } of weaknesses) console.log(`${severity}: ${name} ${range}`)
console.log(
  `${report.metadata.dependencies.prod} packages checked, ${weaknesses.length} with known weaknesses.`,
)
process.exit(weaknesses.length > 0 ? 1 : 0)
