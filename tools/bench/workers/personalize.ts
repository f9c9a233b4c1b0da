// One run to its end, in the rounds of its background function, in its own process.
import { Personalize } from '#lib/contracts/personalize/personalize'
import { closeDatabase } from '#lib/db/client'
import { startRun } from '#lib/services/personalize/runs'
import { workRun } from '#lib/services/personalize/work'
import { configuredWriter } from '#lib/services/personalize/writer'
import { liveMemoryMb, peakMemoryMb, timed } from '../harness.ts'

const ROUND_MS = 120_000

const [dataset_id = '', workspace_id = ''] = (process.env.BENCH_PERSONALIZE ?? '').split(' ')
const writer = configuredWriter()
if (!writer.offline) throw new Error('This part measures the offline writer: configure no model.')
const idle_mb = peakMemoryMb()
const { run_id } = await startRun(workspace_id, Personalize.body.parse({ dataset_id }), new Date(), writer)
const { ms } = await timed(async () => {
  for (let state = 'more'; state !== 'done'; ) {
    const until = new Date(Date.now() + ROUND_MS)
    state = (await workRun(run_id, { writer, clock: () => new Date(), until })).state
    if (state === 'busy') throw new Error('Somebody else works on this run.')
  }
})
const rss_mb = peakMemoryMb()
console.log(JSON.stringify({ run_id, ms, idle_mb, rss_mb, live_mb: liveMemoryMb() }))
await closeDatabase()
