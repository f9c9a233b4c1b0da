import { execFile } from 'node:child_process'
import * as fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { expect } from '@playwright/test'
import { test } from '../support/test.ts'

const exec = promisify(execFile)
const ROOT = path.resolve(import.meta.dirname, '../../..')

/** The commands of a guide in order, with the address of this instance. */
function scriptOf(guide: string, url: string): string {
  const text = fs.readFileSync(path.join(ROOT, 'docs', guide), 'utf8')
  const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
  expect(blocks.length).toBeGreaterThan(5)
  return ['set -euo pipefail', ...blocks].join('\n').replaceAll('http://127.0.0.1:3000', url)
}

test('every command of the first-campaign guide works as it stands there', async ({ baseURL }) => {
  // The guide writes a file to the working directory and runs npm for a token: both happen in a folder of their own.
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'opener-guide-'))
  try {
    fs.writeFileSync(
      path.join(folder, 'package.json'),
      JSON.stringify({ scripts: { token: `node ${ROOT}/scripts/token.ts` } }),
    )
    const script = scriptOf('first-campaign.md', baseURL ?? '')
    const { stdout } = await exec('bash', ['-c', script], {
      cwd: folder,
      env: process.env,
      maxBuffer: 10_000_000,
    })
    expect(stdout).toContain('"suggested_mapping":{')
    expect(stdout).toContain('not an address')
    expect(stdout).toContain('"blocks":[]')
    expect(stdout).toContain('"total_actions":4')
    expect(stdout).toContain('A thought about Acme')
    expect(stdout).toMatch(/"subject":"A thought about (Acme|Bolt & Co)"/)
    expect(stdout).toContain('"paused_reason":"user"')
    expect(stdout.trimEnd()).toMatch(/"status":"active"[^\n]*$/)
  } finally {
    fs.rmSync(folder, { recursive: true, force: true })
  }
})
