import { closeDatabase, pool } from '#lib/db/client'
import { countActions, readCampaignAnalytics } from '#lib/services/campaigns/campaign-analytics'
import { compareCampaigns } from '#lib/services/campaigns/campaign-comparison'
import { ALL_TIME } from '#lib/services/campaigns/span'
import { readWorkspaceAnalytics } from '#lib/services/campaigns/workspace-analytics'
import { median, oneDecimal, printNote, RUNS, report, timed } from './harness.ts'
import { aDataset, anOwner } from './seed.ts'

const STEPS = 5
const MAILBOXES = 20
const GOAL_MS = 50
const COMPARISON_GOAL_MS = 100

/** A campaign after `leads` × 5 sends over 100 days: 5 % replied, 1 % bounced, 1 % unsubscribed. */
async function ranCampaign(workspace_id: string, leads: number): Promise<string> {
  const dataset_id = await aDataset(workspace_id, leads)
  const variants = [
    { label: 'A', weight: 1 },
    { label: 'B', weight: 1 },
  ].map((variant) => ({
    ...variant,
    type: 'TEMPLATE',
    template_id: null,
    sender_profile_id: null,
  }))
  const steps = Array.from({ length: STEPS }, (_, index) => ({
    step: index + 1,
    delay_days: 20,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants,
    subject: null,
    message_template: 'x',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  }))
  const { rows } = await pool().query<{ campaign_id: string }>(
    `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, launched_at, timezone, updated_at)
     VALUES ($1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, 'Analytics', 'active', $3, '{mon,tue,wed,thu,fri,sat,sun}', '2026-01-01', 'Europe/Berlin', now())
     RETURNING campaign_id`,
    [workspace_id, dataset_id, JSON.stringify(steps)],
  )
  const campaign_id = rows[0]?.campaign_id ?? ''
  await pool().query(
    `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, current_step, next_step, last_event_at)
     SELECT $1, $2, $3, lead_index, email, (CASE WHEN lead_index % 20 = 0 THEN 'replied' WHEN lead_index % 100 = 1 THEN 'bounced'
       WHEN lead_index % 100 = 2 THEN 'unsubscribed' ELSE 'completed' END)::"LeadStatus", 5, NULL, '2026-12-01'
     FROM dataset_rows WHERE dataset_id = $3`,
    [campaign_id, workspace_id, dataset_id],
  )
  await pool().query(
    `INSERT INTO actions (campaign_lead_id, campaign_id, workspace_id, step, channel, action_type, variant_label, status, performed_at,
       mailbox_id, message_id, subject, body, outcome, response, recorded_at)
     SELECT campaign_lead_id, $1, $2, step, 'email', 'email', CASE WHEN lead_index % 2 = 0 THEN 'A' ELSE 'B' END, 'sent',
       '2026-01-01T08:00:00Z'::timestamptz + step * interval '20 days' + (lead_index % 20) * interval '1 day'
         + (lead_index % 28800) * interval '1 second' AS performed_at,
       (ARRAY(SELECT mailbox_id FROM mailboxes WHERE workspace_id = $2))[1 + lead_index / 3 % ${MAILBOXES}],
       '<' || gen_random_uuid() || '@example.org>', 'A word about your company', repeat('All the words of a mail. ', 30),
       'accepted', '250 2.0.0 Queued', now()
     FROM campaign_leads, generate_series(1, ${STEPS}) step WHERE campaign_id = $1
     -- In the order of time, as a ledger grows.
     ORDER BY performed_at`,
    [campaign_id, workspace_id],
  )
  return campaign_id
}

const leads = Number(process.env.BENCH_LEADS ?? 200_000)
const { workspace_id } = await anOwner({ mailboxes: MAILBOXES })
await pool().query(`UPDATE workspaces SET timezone = 'Europe/Berlin' WHERE workspace_id = $1`, [workspace_id])
printNote(`writing ${leads * STEPS} actions`)
const campaign_id = await ranCampaign(workspace_id, leads)
await pool().query('VACUUM (ANALYZE) actions, campaign_leads')
await readCampaignAnalytics(workspace_id, campaign_id)
const times: number[] = []
for (let run = 0; run < RUNS; run++)
  times.push((await timed(() => readCampaignAnalytics(workspace_id, campaign_id))).ms)
/** The same groups, as stored and as counted from the ledger, in turns. */
async function bothWays() {
  const client = await pool().connect()
  const ways = { kept: [] as number[], counted: [] as number[] }
  await client.query("SET work_mem = '64MB'")
  for (let run = 0; run < RUNS; run++) {
    ways.kept.push((await timed(() => countActions(client, campaign_id))).ms)
    ways.counted.push((await timed(() => countActions(client, campaign_id, { ...ALL_TIME }))).ms)
  }
  client.release()
  return { kept: median(ways.kept), counted: median(ways.counted) }
}
const { kept, counted } = await bothWays()
report({
  what: `What became of ${(leads * STEPS).toLocaleString('en')} actions, by step, variant and quarter of an hour`,
  ours: `${Math.round(kept)} ms`,
  against: `${Math.round(counted)} ms (counted from the ledger)`,
  ratio: (kept / counted).toFixed(3),
  goal: '≤ 0.1',
  met: kept / counted <= 0.1,
})
report({
  what: `Analytics of one campaign with ${(leads * STEPS).toLocaleString('en')} actions`,
  ours: `${Math.round(median(times))} ms`,
  against: `${GOAL_MS} ms`,
  ratio: oneDecimal(median(times) / GOAL_MS),
  goal: '≤ 1.0',
  met: median(times) <= GOAL_MS,
})
async function medianTime(read: () => Promise<unknown>): Promise<number> {
  await read()
  const each: number[] = []
  for (let run = 0; run < RUNS; run++) each.push((await timed(read)).ms)
  return median(each)
}
/** Everything that the analytics page of a workspace shows for the months of those sends. */
const DAYS = { from: '2026-01-01', to: '2026-06-30' }
const WAYS = {
  'Analytics of a workspace': {
    goal_ms: GOAL_MS,
    read: () => readWorkspaceAnalytics(workspace_id, DAYS, new Date()),
  },
  'Comparison of a campaign with itself, both': {
    goal_ms: COMPARISON_GOAL_MS,
    read: () => compareCampaigns(workspace_id, campaign_id, campaign_id),
  },
}
for (const [what, { goal_ms, read }] of Object.entries(WAYS)) {
  const ms = await medianTime(read)
  report({
    what: `${what} with ${(leads * STEPS).toLocaleString('en')} actions`,
    ours: `${Math.round(ms)} ms`,
    against: `${goal_ms} ms`,
    ratio: oneDecimal(ms / goal_ms),
    goal: '≤ 1.0',
    met: ms <= goal_ms,
  })
}
await closeDatabase()
