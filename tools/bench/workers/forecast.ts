// Forecasts through the service, with a saved campaign and real rows, in its own process: the first, and another one.
import { closeDatabase } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { peakMemoryMb, timed } from '../harness.ts'

const [workspace_id = '', campaign_id = ''] = (process.env.BENCH_CAMPAIGN ?? '').split(' ')
const read = () =>
  timed(() => forecastCampaign(workspace_id, campaign_id, { offset: 0, limit: 100 }, new Date()))
const idle_mb = peakMemoryMb()
const first = await read()
const { ms, result } = await read()
console.log(
  JSON.stringify({
    idle_mb,
    first_ms: first.ms,
    ms,
    rss_mb: peakMemoryMb(),
    actions: result.total_actions,
    days: result.days.length,
  }),
)
await closeDatabase()
