// npm run old-release -- COMMIT [SUITE …]: runs the code of a release, with its own tests, on the schema of this checkout.
import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const ROOT = path.resolve(import.meta.dirname, '..')
const [commit, ...suites] = process.argv.slice(2)
if (!commit) {
  console.error('Usage: npm run old-release -- COMMIT [SUITE …]   (such as v0.1.0 api jobs)')
  process.exit(1)
}

const folder = throwawayFolder()
const checkout = path.join(folder, 'release')
const run = (program: string, args: string[], cwd: string) =>
  execFileSync(program, args, { cwd, stdio: 'inherit' })
const inRelease = (file: string) => path.join(checkout, file)
const read = (file: string) => fs.readFileSync(file, 'utf8')

let isWell = false
try {
  run('git', ['worktree', 'add', '--detach', checkout, commit], ROOT)
  // The release's code and client with this version's migrations.
  fs.rmSync(inRelease('prisma/migrations'), { recursive: true })
  fs.cpSync(path.join(ROOT, 'prisma/migrations'), inRelease('prisma/migrations'), { recursive: true })
  if (read(inRelease('package-lock.json')) === read(path.join(ROOT, 'package-lock.json')))
    fs.symlinkSync(path.join(ROOT, 'node_modules'), inRelease('node_modules'))
  // This test would fail by design: the release's schema.prisma and these migrations differ.
  fs.rmSync(inRelease('tests/jobs/instance/migrations.test.ts'), { force: true })
  run(
    process.execPath,
    ['scripts/bootstrap.mjs', 'scripts/test.ts', ...(suites.length > 0 ? suites : ['api', 'jobs'])],
    checkout,
  )
  isWell = true
} catch {
  console.error(`The code of ${commit} fails on this schema, or its tests do.`)
} finally {
  run('git', ['worktree', 'remove', '--force', checkout], ROOT)
  removeThrowaway(folder)
}
process.exit(isWell ? 0 : 1)
