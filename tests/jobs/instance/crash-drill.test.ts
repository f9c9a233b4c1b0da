import * as fs from 'node:fs'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import { runDrill } from '#tests/support/drill/run'
import { removeThrowaway, throwawayFolder } from '#tests/support/files/throwaway'

const KILLS = 6
const LEADS = 200
const dataFolder = throwawayFolder()
afterAll(() => removeThrowaway(dataFolder))

// The app may have to be built first.
const limit = { timeout: 900_000 }

test(`${KILLS} kills in the middle of sending: nobody is mailed twice, nobody is lost`, limit, async () => {
  const port = await freePort()
  const said: string[] = []
  const options = { dataFolder, port, kills: KILLS, leads: LEADS, workers: 0, seed: 1 }
  const verdict = await runDrill({ ...options, say: (line) => said.push(line) }).catch((error) => {
    const log = fs.readFileSync(path.join(dataFolder, 'up.log'), 'utf8')
    throw new Error(`${error.message}\n${said.join('\n')}\n${log}`, { cause: error })
  })
  expect(verdict, said.join('\n')).toMatchObject({
    kills: KILLS,
    statuses: { completed: LEADS },
    duplicates: [],
    lost: [],
    not_received: [],
    unknown: [],
    needlessly_uncertain: 0,
  })
  expect(verdict.sent + verdict.uncertain).toBe(LEADS * 2)
  expect(verdict.uncertain).toBeLessThanOrEqual(verdict.underway_at_kills)
})
