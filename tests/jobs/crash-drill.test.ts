import { afterAll, expect, test } from 'vitest'
import { freePort } from '#lib/db/free-port'
import { runDrill } from '#tests/support/drill/run'
import { removeThrowaway, throwawayFolder } from '#tests/support/throwaway'

const dataFolder = throwawayFolder()
afterAll(() => removeThrowaway(dataFolder))

// The app may have to be built first.
test('ten kills in the middle of sending: nobody is mailed twice, nobody is lost', { timeout: 900_000 }, async () => {
  const verdict = await runDrill({
    dataFolder,
    port: await freePort(),
    kills: 10,
    leads: 300,
    workers: 0,
    seed: 1,
    say: (line) => console.log(line),
  })
  console.log(verdict)
  expect(verdict).toMatchObject({
    kills: 10,
    statuses: { completed: 300 },
    duplicates: [],
    lost: [],
    not_received: [],
    unknown: [],
    needlessly_uncertain: 0,
  })
  expect(verdict.sent + verdict.uncertain).toBe(600)
  expect(verdict.uncertain).toBeLessThanOrEqual(verdict.underway_at_kills)
  expect(verdict.completed_ms).toBeLessThan(60_000)
})
