// One forecast through the service, saved campaign and real rows, in a process of its own.
import { closeDatabase } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { peakMemoryMb, timed } from '../harness.ts'

const [workspace_id = '', campaign_id = ''] = (process.env.BENCH_CAMPAIGN ?? '').split(' ')
const { ms, result } = await timed(() =>
  forecastCampaign(workspace_id, campaign_id, { offset: 0, limit: 100 }, new Date()),
)
console.log(
  JSON.stringify({ ms, rss_mb: peakMemoryMb(), actions: result.total_actions, days: result.days.length }),
)
await closeDatabase()
