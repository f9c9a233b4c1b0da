// npm run audit: known weaknesses of the packages that an instance runs with; says so where it could not be found out.
import { execFile } from 'node:child_process'
import { ROOT } from '#scripts/up/settings'

type Report = {
  error?: unknown
  message?: string
  metadata?: { vulnerabilities: Record<string, number>; dependencies: { prod: number } }
  vulnerabilities?: Record<string, { name: string; severity: string; range: string }>
}

/** npm ends with 1 where it found something, and where it could not look: only what it says tells the two apart. */
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

const report = await ask()
if (!report.metadata || !report.vulnerabilities) {
  console.error('Not checked: the package registry gave no answer about known weaknesses.')
  console.error(`It said: ${report.message ?? JSON.stringify(report.error ?? report)}`)
  console.error('Ask again with another registry: npm_config_registry=https://… npm run audit')
  process.exit(2)
}
const weaknesses = Object.values(report.vulnerabilities)
for (const { name, severity, range } of weaknesses) console.log(`${severity}: ${name} ${range}`)
console.log(
  `${report.metadata.dependencies.prod} packages checked, ${weaknesses.length} with known weaknesses.`,
)
process.exit(weaknesses.length > 0 ? 1 : 0)
