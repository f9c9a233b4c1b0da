import { closeDatabase, pool } from '#lib/db/client'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { median, printNote, RUNS, report, timed } from './harness.ts'
import { aDataset, anOwner, EMAIL_STEP } from './seed.ts'

const DUE = 100
const FEW = 10
const MANY = 100_000
const GOAL_TIME = 1.5
const GOAL_READ = 3
const MAILBOXES = 100
const NEW_LEADS = 2_000
const WAITING = 20_000
const CLAIMS = 40

const { workspace_id } = await anOwner({ mailboxes: 1 })
const dataset_id = await aDataset(workspace_id, 1)
const STEPS = JSON.stringify([EMAIL_STEP])

/** Running campaigns with one lead each. Idle ones have their next slot in a year. */
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

/** Rows and pages of the campaigns table read so far, all through the pool's only connection. */
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
  // The last looks find each campaign once more, when the end of its plan is reached.
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

/** A campaign with an interval and many mailboxes: some leads before their first step, `waiting` between their first and second. */
async function aPaced({ waiting }: { waiting: number }): Promise<string> {
  const { workspace_id: own } = await anOwner({ mailboxes: MAILBOXES })
  const list = await aDataset(own, NEW_LEADS + waiting)
  const { rows } = await pool().query<{ campaign_id: string }>(
    `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, daily_limit, min_interval_seconds,
       sending_window_start, sending_window_end, launched_at, updated_at)
     SELECT $1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, 'Paced', 'active', $3, '{mon,tue,wed,thu,fri,sat,sun}', 10000, 60,
       '00:00:00', '00:00:00', now(), now() RETURNING campaign_id`,
    [own, list, JSON.stringify([EMAIL_STEP, { ...EMAIL_STEP, step: 2, delay_days: 3 }])],
  )
  const [{ campaign_id } = { campaign_id: '' }] = rows
  await pool().query(
    `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status, current_step, next_step, next_action_at,
       next_action_type, mailbox_id, next_sender_id)
     SELECT $1::uuid, $2::uuid, $3::uuid, n, 'person' || n || '@company' || n % 9000 || '.example.com', 'pending'::"LeadStatus", 0, 1, now(), 'email', NULL::uuid, NULL::uuid
       FROM generate_series(0, $4::int - 1) n
     UNION ALL SELECT $1, $2, $3, $4 + n, 'person' || ($4 + n) || '@company' || ($4 + n) % 9000 || '.example.com', 'active', 1, 2,
       now() + interval '3 days' + n * interval '1 second', 'email', m.mailbox_id, m.mailbox_id
       FROM generate_series(0, $5::int - 1) n JOIN (SELECT mailbox_id, row_number() OVER () - 1 AS place FROM mailboxes WHERE workspace_id = $2) m
         ON m.place = n % $6::int`,
    [campaign_id, own, list, NEW_LEADS, waiting, MAILBOXES],
  )
  await pool().query('VACUUM ANALYZE')
  return campaign_id
}

/** Milliseconds of consecutive claims of one campaign, ten minutes apart. */
async function pacedClaims(campaign_id: string): Promise<number> {
  await pool().query('UPDATE campaigns SET next_slot_at = CASE WHEN campaign_id = $1 THEN now() END', [
    campaign_id,
  ])
  const times: number[] = []
  for (let minute = 0; minute < CLAIMS * 10; minute += 10) {
    const now = new Date(started + minute * 60_000)
    const { ms, result } = await timed(() => claimDueCampaign(pool(), 'bench', now))
    if (result?.actions.length !== 1) throw new Error(`claimed ${result?.actions.length}`)
    times.push(ms)
  }
  started += CLAIMS * 600_000
  return median(times)
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
const [alone, beside] = [await aPaced({ waiting: 0 }), await aPaced({ waiting: WAITING })]
let started = Date.now() + 60_000
const paced = { alone: [] as number[], beside: [] as number[] }
for (let run = 0; run < RUNS; run++) {
  paced.alone.push(await pacedClaims(alone))
  paced.beside.push(await pacedClaims(beside))
  printNote(
    `${paced.alone.at(-1)?.toFixed(1)} ms, and ${paced.beside.at(-1)?.toFixed(1)} ms with those that wait`,
  )
}
const [ours, against] = [median(paced.beside), median(paced.alone)]
report({
  what: `A claim with room for 200 of a campaign with an interval from ${MAILBOXES} mailboxes, of whose leads ${WAITING.toLocaleString('en')} wait for their second step`,
  ours: `${ours.toFixed(1)} ms`,
  against: `${against.toFixed(1)} ms (nobody waits)`,
  ratio: (ours / against).toFixed(2),
  goal: `≤ ${GOAL_TIME}`,
  met: ours / against <= GOAL_TIME,
})
await closeDatabase()
