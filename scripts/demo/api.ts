import { execFileSync } from 'node:child_process'
import path from 'node:path'
import { createClient } from '#lib/client/client'
import { isLocalOnly } from '#lib/services/instance/network-exposure'
import { readRunFile } from '#scripts/up/run-file'
import { ROOT, readSettings } from '#scripts/up/settings'
import { Trouble } from '#scripts/up/trouble'

/** A client for the running instance, as the demo user, who exists only if no other machine can reach the instance. */
export function demoApi(dataFolder = readSettings().dataFolder) {
  const run = readRunFile(dataFolder)
  if (!run) throw new Trouble('Opener is not running: start it with `npm run up` in another terminal.')
  const { HOST, APP_URL = run.url } = run.env
  if (!isLocalOnly({ HOST, APP_URL, TRACKING_URL: process.env.TRACKING_URL || undefined }))
    throw new Trouble(
      'The demo plays as the demo account, which is not there where others can reach the instance (HOST, APP_URL). Start one for it: HOST=127.0.0.1 APP_URL= PORT=3100 DATA_DIR=.data-demo npm run up, then DATA_DIR=.data-demo npm run demo.',
    )
  const token = execFileSync(process.execPath, [path.join(ROOT, 'scripts/token.ts')], {
    encoding: 'utf8',
    env: { ...process.env, ...run.env, DATA_DIR: dataFolder },
  }).trim()
  return { url: run.url, client: createClient({ base_url: run.url, token }) }
}
