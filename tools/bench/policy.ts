import { closeDatabase, db, pool } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { median, printNote, RUNS, report, timed } from './harness.ts'
import { aDataset, anOwner } from './seed.ts'

const CAMPAIGNS = 100
const PEOPLE = 10_000
const COMPANIES = 1_000
/** People that one claim asks about. */
const AT_ONCE = 100
const GOAL = 1.3

const POLICY = { one_campaign_at_a_time: true, company_max_active: 10, rest_days: 3 }
const { workspace_id } = await anOwner({ mailboxes: 1 })
const dataset_id = await aDataset(workspace_id, PEOPLE)
const STEPS = JSON.stringify(
  [0, 3, 3].map((delay_days, index) => ({
    step: index + 1,
    delay_days,
    channel: 'email',
    action_type: 'email',
    condition: 'always',
    variants: [],
    subject: 'Hello',
    message_template: 'A word',
    ai_personalization_enabled: false,
    track_clicks: false,
    track_opens: false,
  })),
)

/** Campaigns over the same people, each of which begins with others of them, ten of a company. */
async function fill() {
  await pool().query(
    `INSERT INTO companies (workspace_id, domain, updated_at)
     SELECT $1, 'shared' || n || '.example.com', now() FROM generate_series(0, $2 - 1) n`,
    [workspace_id, COMPANIES],
  )
  await pool().query(
    `INSERT INTO people (workspace_id, company_id, email, updated_at)
     SELECT $1, c.company_id, 'person' || n || '@' || c.domain, now() FROM generate_series(0, $2 - 1) n
       JOIN companies c ON c.workspace_id = $1 AND c.domain = 'shared' || n % $3 || '.example.com'`,
    [workspace_id, PEOPLE, COMPANIES],
  )
  const { rows } = await pool().query<{ campaign_id: string }>(
    `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, daily_limit, min_interval_seconds,
       sending_window_start, sending_window_end, contact_policy_override, total_leads, launched_at, next_slot_at, updated_at)
     SELECT $1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, 'Campaign ' || n, 'active', $3, '{mon,tue,wed,thu,fri,sat,sun}', 10000, 0,
       '00:00:00', '00:00:00', CASE WHEN n % 2 = 0 THEN 'Bench' END, $5, now(), now(), now() FROM generate_series(1, $4) n RETURNING campaign_id`,
    [workspace_id, dataset_id, STEPS, CAMPAIGNS, PEOPLE],
  )
  for (const [place, { campaign_id }] of rows.entries())
    await pool().query(
      `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, person_id, status, next_step, next_action_at, next_action_type)
       SELECT $1, $2, $3, n, p.email, p.person_id, 'pending', 1, now(), 'email' FROM generate_series(0, $4 - 1) n
         JOIN people p ON p.workspace_id = $2 AND p.email = 'person' || (n + $5) % $4 || '@shared' || (n + $5) % $4 % $6 || '.example.com'`,
      [campaign_id, workspace_id, dataset_id, PEOPLE, place * AT_ONCE, COMPANIES],
    )
  await pool().query('VACUUM ANALYZE')
}

/** Nobody was written to, and all campaigns are due. */
async function beginAnew() {
  await pool().query('TRUNCATE actions, sender_days, campaign_days, campaign_events, contact_wakes CASCADE')
  await pool().query(
    `UPDATE campaign_leads SET status = 'pending', current_step = 0, next_step = 1, next_action_at = now(), next_action_type = 'email',
       put_off_until = NULL, mailbox_id = NULL, next_sender_id = NULL, reason = NULL, last_event = NULL, last_event_at = NULL
     WHERE status <> 'pending'`,
  )
  await pool().query('UPDATE campaigns SET next_slot_at = now() WHERE workspace_id = $1', [workspace_id])
  await pool().query('VACUUM ANALYZE campaign_leads, actions, campaigns, people')
}

type Side = 'policy' | 'free'
const sides = (): Record<Side, number[]> => ({ policy: [], free: [] })

/** One claim of each campaign, those that ask nobody in turns with the others; milliseconds, and how many they wrote to. */
async function round(written: Record<Side, number>) {
  await pool().query(
    "UPDATE campaigns SET next_slot_at = now() - interval '1 second' WHERE workspace_id = $1",
    [workspace_id],
  )
  const now = new Date()
  const times = sides()
  const counts = { policy: 0, free: 0 }
  for (let at = 0; at < CAMPAIGNS; at++) {
    const { ms, result } = await timed(() => claimDueCampaign(pool(), 'bench', now, AT_ONCE))
    const side = result?.campaign.contact_policy_override === null ? 'policy' : 'free'
    times[side].push(ms)
    counts[side] += result?.actions.length ?? 0
  }
  if (counts.policy !== written.policy || counts.free !== written.free)
    throw new Error(`wrote to ${counts.policy} and ${counts.free}`)
  return times
}

/** The forecasts of campaigns whose people others have begun with. */
async function forecasts() {
  const campaigns = await db.campaign.findMany({
    where: { workspace_id },
    orderBy: { campaign_id: 'asc' },
    take: 10,
  })
  const times = sides()
  for (const { campaign_id, contact_policy_override } of campaigns) {
    const { ms } = await timed(() =>
      forecastCampaign(workspace_id, campaign_id, { offset: 0, limit: 100 }, new Date()),
    )
    times[contact_policy_override === null ? 'policy' : 'free'].push(ms)
  }
  return times
}

await db.workspace.update({ where: { workspace_id }, data: POLICY })
await fill()
printNote(`${CAMPAIGNS} campaigns over the same ${PEOPLE} people`)
const all = { first: sides(), held: sides(), forecast: sides() }
for (let run = 0; run < RUNS; run++) {
  await beginAnew()
  const each = (CAMPAIGNS / 2) * AT_ONCE
  const first = await round({ policy: each, free: each })
  const planned = await forecasts()
  // Whom they come to now another one has.
  const held = await round({ policy: 0, free: each })
  for (const side of ['policy', 'free'] as const) {
    all.first[side].push(...first[side])
    all.held[side].push(...held[side])
    all.forecast[side].push(...planned[side])
    printNote(
      `${side}: ${median(first[side]).toFixed(1)} ms and ${median(held[side]).toFixed(1)} ms a claim, forecast ${median(planned[side]).toFixed(0)} ms`,
    )
  }
}
for (const [what, times] of [
  [`A claim of ${AT_ONCE} people who may begin`, all.first],
  [`A claim of ${AT_ONCE} people whom another campaign has`, all.held],
  ['The forecast of one of them', all.forecast],
] as const) {
  const [ours, against] = [median(times.policy), median(times.free)]
  report({
    what: `${what}, ${CAMPAIGNS} campaigns over ${PEOPLE.toLocaleString('en')} people, with a contact policy`,
    ours: `${ours.toFixed(1)} ms`,
    against: `${against.toFixed(1)} ms (with a reason not to wait)`,
    ratio: (ours / against).toFixed(2),
    goal: `≤ ${GOAL}`,
    met: ours / against <= GOAL,
  })
}
await closeDatabase()
