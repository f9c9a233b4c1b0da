import { closeDatabase, pool } from '#lib/db/client'
import { exportCampaignLeads } from '#lib/services/leads/export'
import { liveMemoryMb, median, oneDecimal, RUNS, report, timed } from './harness.ts'
import { aCampaignOver, aDataset, anOwner } from './seed.ts'

const LEADS = Number(process.env.BENCH_LEADS ?? 1_000_000)
const GOAL_PER_SECOND = 100_000
const GOAL_MB = 100

const owner = await anOwner()
const { workspace_id } = owner
const dataset_id = await aDataset(workspace_id, LEADS)
const { campaign_id } = await aCampaignOver(owner, dataset_id, {
  steps_config: [{ subject: 'A word', message_template: 'x' }],
})
await pool().query(
  `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, current_step, next_step)
   SELECT $1, workspace_id, dataset_id, lead_index, email, 'completed', 1, NULL FROM dataset_rows WHERE dataset_id = $2`,
  [campaign_id, dataset_id],
)
await pool().query(
  `INSERT INTO actions (campaign_lead_id, campaign_id, workspace_id, step, channel, action_type, status, performed_at, subject, body)
   SELECT campaign_lead_id, campaign_id, workspace_id, 1, 'email', 'email', 'sent', now(), 'A word', repeat('All the words of a mail. ', 30)
   FROM campaign_leads WHERE campaign_id = $1 ORDER BY lead_index`,
  [campaign_id],
)
await pool().query('VACUUM (ANALYZE) actions, campaign_leads, dataset_rows')

/** Reads the whole file as a download does; also returns the peak of live memory meanwhile. */
async function exported(): Promise<{ lines: number; live_mb: number }> {
  const { parts } = await exportCampaignLeads(workspace_id, campaign_id, { format: 'csv' }, new Date())
  let [lines, live_mb, part_count] = [-1, 0, 0]
  for await (const part of parts) {
    for (let at = part.indexOf(10); at >= 0; at = part.indexOf(10, at + 1)) lines++
    if (part_count++ % 100 === 0) live_mb = Math.max(live_mb, liveMemoryMb())
  }
  return { lines, live_mb }
}

const times: number[] = []
let live = 0
for (let run = 0; run < RUNS; run++) {
  const { ms, result } = await timed(exported)
  if (result.lines !== LEADS) throw new Error(`exported ${result.lines} of ${LEADS}`)
  times.push(ms)
  live = Math.max(live, result.live_mb)
}
const perSecond = LEADS / (median(times) / 1_000)
report({
  what: `Export of ${LEADS.toLocaleString('en')} leads as csv, ten columns and a step each`,
  ours: `${Math.round(perSecond).toLocaleString('en')} rows/s, ${oneDecimal(live)} MB alive`,
  against: `${GOAL_PER_SECOND.toLocaleString('en')} rows/s, ${GOAL_MB} MB`,
  ratio: oneDecimal(perSecond / GOAL_PER_SECOND),
  goal: '≥ 1.0',
  met: perSecond >= GOAL_PER_SECOND && live <= GOAL_MB,
})
await closeDatabase()
