import { execFileSync } from 'node:child_process'
import * as fs from 'node:fs'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const ROOT = path.resolve(import.meta.dirname, '../../..')

test('a fresh clone builds with its packages and nothing else', () => {
  const clone = throwawayFolder()
  try {
    const listed = execFileSync('git', ['ls-files', '-z', '-co', '--exclude-standard'], { cwd: ROOT })
    const files = listed.toString().split('\0')
    for (const file of files.filter((file) => file && fs.existsSync(path.join(ROOT, file))))
      fs.cpSync(path.join(ROOT, file), path.join(clone, file))
    copyPackages(clone)
    // Nothing of what the running instance was given: a host that builds has only the code.
    const bare = ['-i', `PATH=${process.env.PATH}`, `HOME=${process.env.HOME}`, 'NEXT_TELEMETRY_DISABLED=1']
    execFileSync('env', [...bare, 'npm', 'run', 'build'], { cwd: clone, stdio: 'pipe' })
    expect(fs.existsSync(path.join(clone, '.next/BUILD_ID'))).toBe(true)
  } finally {
    removeThrowaway(clone)
  }
})

/** Where they would be after `npm install`: a link would lead out of the clone, which Next refuses. */
function copyPackages(clone: string) {
  const from = path.join(ROOT, 'node_modules')
  try {
    execFileSync('cp', ['-al', from, clone], { stdio: 'ignore' })
  } catch {
    // Another disk, or a cp that makes no links.
    execFileSync('cp', ['-R', from, clone], { stdio: 'ignore' })
  }
}
