import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { createClient } from '#lib/client/client'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

/** The API of the running instance, as the demo user. */
export function demoApi(dataFolder = readSettings().dataFolder) {
  const run = readRunFile(dataFolder)
  if (!run) throw new Trouble('Opener does not run: start it with `npm run up` in another terminal.')
  const token = execFileSync(process.execPath, [path.join(ROOT, 'scripts/token.ts')], {
    encoding: 'utf8',
    env: { ...process.env, DATA_DIR: dataFolder },
  }).trim()
  return { url: run.url, client: createClient({ base_url: run.url, token }) }
}
