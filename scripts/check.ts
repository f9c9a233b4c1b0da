// npm run check: format and lint, types, dead code. All of them run; any problem fails it.
import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { generateClient } from '#scripts/up/build'
import { ROOT } from '#scripts/up/settings'
import { explain } from '#scripts/up/trouble'

const CHECKS: [name: string, ...commands: string[][]][] = [
  ['Format and lint', ['biome', 'ci', '--error-on-warnings']],
  ['Types', ['next', 'typegen'], ['tsc', '--noEmit', '--incremental', 'false']],
  ['Dead code', ['knip', '--config', 'tests/knip.json']],
]

try {
  await generateClient()
} catch (error) {
  console.error(explain(error, ROOT))
  process.exit(1)
}
const failed = CHECKS.filter(([name, ...commands]) => {
  const ok = commands.every((command) => succeeds(command))
  console.log(`${ok ? '✓' : '✗'} ${name}`)
  return !ok
})
process.exit(failed.length > 0 ? 1 : 0)

function succeeds([name = '', ...args]: string[]): boolean {
  const env = { ...process.env, NEXT_TELEMETRY_DISABLED: '1' }
  const command = path.join(ROOT, 'node_modules/.bin', name)
  const { status, stdout, stderr } = spawnSync(command, args, { cwd: ROOT, env, encoding: 'utf8' })
  if (status !== 0) console.log(`${stdout}${stderr}`.trim())
  return status === 0
}
