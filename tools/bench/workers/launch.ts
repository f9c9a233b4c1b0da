// One launch, all three steps of its background function, in its own process.
import { closeDatabase, db } from '#lib/db/client'
import { activateCampaign, enrolLeads, launchStillPossible } from '#lib/services/launch/enrolment'
import { peakMemoryMb, timed } from '../harness.ts'
import { postgresCpu } from '../instance/processes.ts'

const campaign_id = process.env.BENCH_CAMPAIGN ?? ''
await db.campaign.update({ where: { campaign_id }, data: { status: 'launching' } })
const idle_mb = peakMemoryMb()
const possible = await timed(() => launchStillPossible(campaign_id))
const cpu = await postgresCpu()
const enrolled = await timed(() => enrolLeads(campaign_id, new Date()))
const enrol_cpu_ms = (await postgresCpu()) - cpu
const rss_enrolled_mb = peakMemoryMb()
const active = await timed(() => activateCampaign(campaign_id, new Date()))
if (!possible.result || !active.result) throw new Error('The launch did not come to its end.')
console.log(
  JSON.stringify({
    leads: enrolled.result.enrolled,
    check_ms: possible.ms,
    enrol_ms: enrolled.ms,
    enrol_cpu_ms,
    activate_ms: active.ms,
    idle_mb,
    rss_enrolled_mb,
    rss_mb: peakMemoryMb(),
  }),
)
await closeDatabase()
