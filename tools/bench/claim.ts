import { closeDatabase, pool } from '#lib/db/client'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { median, printNote, RUNS, report, timed } from './harness.ts'
import { aDataset, anOwner } from './seed.ts'

const DUE = 100
const FEW = 10
const MANY = 100_000
const GOAL_TIME = 1.5
const GOAL_READ = 3

const { workspace_id } = await anOwner({ mailboxes: 1 })
const dataset_id = await aDataset(workspace_id, 1)
const STEPS = JSON.stringify([
  {
    step: 1,
    delay_days: 0,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants: [],
    subject: 'Hello',
    message_template: 'A word',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  },
])

/** Running campaigns, each with one lead. Idle ones look again in a year. */
async function campaigns(count: number, idle: boolean) {
  await pool().query(
    `WITH made AS (
       INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, daily_limit, min_interval_seconds,
         sending_window_start, sending_window_end, launched_at, next_slot_at, updated_at)
       SELECT $1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, 'Campaign', 'active', $3, '{mon,tue,wed,thu,fri,sat,sun}', 100, 0, '00:00:00', '00:00:00', now(),
         now() + CASE WHEN $5 THEN interval '1 year' ELSE interval '0' END, now()
       FROM generate_series(1, $4) RETURNING campaign_id)
     INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, next_step, next_action_at, next_action_type)
     SELECT campaign_id, $1, $2, 0, 'person@example.com', 'pending', 1, now(), 'email' FROM made`,
    [workspace_id, dataset_id, STEPS, count, idle],
  )
}

/** Rows and pages of the campaigns that were read so far. All of it was read by the one connection that the pool holds. */
async function readSoFar() {
  await pool().query('SELECT pg_stat_force_next_flush()')
  const { rows } = await pool().query<{ rows: number; pages: number }>(
    `SELECT (seq_tup_read + idx_tup_fetch)::int AS rows,
       (heap_blks_read + heap_blks_hit + idx_blks_read + idx_blks_hit)::int AS pages
     FROM pg_stat_user_tables JOIN pg_statio_user_tables USING (relid) WHERE pg_stat_user_tables.relname = 'campaigns'`,
  )
  return rows[0] ?? { rows: 0, pages: 0 }
}

/** One tick: claims until nothing is due. */
async function tick() {
  const before = await readSoFar()
  const { ms, result } = await timed(async () => {
    let claims = 0
    while (await claimDueCampaign(pool(), 'bench', new Date())) claims += 1
    return claims
  })
  const after = await readSoFar()
  // The last looks find each campaign once more, when its plan's end is reached.
  if (result < DUE) throw new Error(`claimed ${result} of ${DUE}`)
  return { ms, rows: (after.rows - before.rows) / result, pages: (after.pages - before.pages) / result }
}

async function measure(idle: number) {
  const ticks: Awaited<ReturnType<typeof tick>>[] = []
  for (let run = 0; run < RUNS; run++) {
    await pool().query(
      "DELETE FROM campaigns WHERE next_slot_at IS NULL OR next_slot_at < now() + interval '1 day'",
    )
    await campaigns(DUE, false)
    await pool().query(
      'VACUUM ANALYZE campaigns, campaign_leads, actions, mailboxes, sender_days, campaign_days',
    )
    ticks.push(await tick())
  }
  const of = (pick: (one: (typeof ticks)[number]) => number) => median(ticks.map(pick))
  const result = { ms: of((one) => one.ms), rows: of((one) => one.rows), pages: of((one) => one.pages) }
  printNote(
    `${idle} idle: ${result.ms.toFixed(0)} ms, ${result.rows.toFixed(1)} rows and ${result.pages.toFixed(1)} pages a claim`,
  )
  return result
}

await campaigns(FEW, true)
const few = await measure(FEW)
await campaigns(MANY - FEW, true)
const many = await measure(MANY)
report({
  what: `A tick with ${DUE} campaigns due: ${MANY.toLocaleString('en')} idle ones against ${FEW}`,
  ours: `${Math.round(many.ms)} ms`,
  against: `${Math.round(few.ms)} ms`,
  ratio: (many.ms / few.ms).toFixed(2),
  goal: `≤ ${GOAL_TIME}`,
  met: many.ms / few.ms <= GOAL_TIME,
})
report({
  what: 'Campaigns read per claim in that tick',
  ours: `${many.rows.toFixed(1)} rows, ${many.pages.toFixed(1)} pages`,
  against: `${few.rows.toFixed(1)} rows, ${few.pages.toFixed(1)} pages`,
  ratio: (many.pages / few.pages).toFixed(2),
  goal: `≤ ${GOAL_READ}`,
  met: many.pages / few.pages <= GOAL_READ,
})
await closeDatabase()
