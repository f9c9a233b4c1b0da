import { closeDatabase, db, pool } from '#lib/db/client'
import { forecastCampaign } from '#lib/services/forecast/forecasts'
import { claimDueCampaign } from '#lib/services/sending/claim'
import { median, printNote, RUNS, report, timed } from './harness.ts'
import { aDataset, anOwner, EMAIL_STEP } from './seed.ts'

const CAMPAIGNS = 100
/**
 * Up to this many campaigns that share people and a mailbox are simulated together; with more, each is forecast alone with
 * earliest dates.
 */
const WALKED = 10
const PEOPLE = 10_000
const COMPANIES = 1_000
/**
 * Further people per company who are in no campaign: the company then has more people than its limit, so contacts in progress
 * must be counted.
 */
const KNOWN_BESIDE = 2
/** How many people one claim checks. */
const AT_ONCE = 100
const GOAL = 1.3

const POLICY = { one_campaign_at_a_time: true, company_max_active: 10, rest_days: 3 }
const FREE = { one_campaign_at_a_time: false, company_max_active: null, rest_days: 0 }
type Scene = { workspace_id: string; dataset_id: string }
async function aScene(): Promise<Scene> {
  const { workspace_id } = await anOwner({ mailboxes: 1 })
  return { workspace_id, dataset_id: await aDataset(workspace_id, PEOPLE) }
}
const STEPS = JSON.stringify(
  [0, 3, 3].map((delay_days, index) => ({ ...EMAIL_STEP, step: index + 1, delay_days })),
)

/** Campaigns over the same people, ten per company; each starts with different ones. */
async function fill({ workspace_id, dataset_id }: Scene, count: number) {
  await pool().query(
    `INSERT INTO companies (workspace_id, domain, updated_at)
     SELECT $1, 'shared' || n || '.example.com', now() FROM generate_series(0, $2 - 1) n`,
    [workspace_id, COMPANIES],
  )
  await pool().query(
    `INSERT INTO people (workspace_id, company_id, email, updated_at)
     SELECT $1, c.company_id, 'person' || n || '@' || c.domain, now() FROM generate_series(0, $2 - 1) n
       JOIN companies c ON c.workspace_id = $1 AND c.domain = 'shared' || n % $3 || '.example.com'`,
    [workspace_id, PEOPLE + KNOWN_BESIDE * COMPANIES, COMPANIES],
  )
  const { rows } = await pool().query<{ campaign_id: string }>(
    `INSERT INTO campaigns (workspace_id, user_id, dataset_id, name, status, steps_config, send_days, daily_limit, min_interval_seconds,
       sending_window_start, sending_window_end, contact_policy_override, launched_at, next_slot_at, updated_at)
     SELECT $1, (SELECT user_id FROM members WHERE workspace_id = $1), $2, 'Campaign ' || n, 'active', $3, '{mon,tue,wed,thu,fri,sat,sun}', 10000, 0,
       '00:00:00', '00:00:00', CASE WHEN n % 2 = 0 AND $4 > $5 THEN 'Bench' END, now(), now(), now() FROM generate_series(1, $4) n RETURNING campaign_id`,
    [workspace_id, dataset_id, STEPS, count, WALKED],
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

/** Actions sent earlier: no real instance has a ledger that was just emptied, and Postgres would plan for an empty one. */
async function sentBefore({ workspace_id }: Scene) {
  await pool().query(
    `INSERT INTO actions (campaign_lead_id, campaign_id, workspace_id, step, channel, action_type, status, performed_at)
     SELECT campaign_lead_id, campaign_id, workspace_id, 1, 'email', 'email', 'sent', now() - interval '1 second' * lead_index
     FROM campaign_leads WHERE workspace_id = $1`,
    [workspace_id],
  )
  await pool().query('UPDATE campaigns SET next_slot_at = NULL WHERE workspace_id = $1', [workspace_id])
}

/** Resets everything: nobody was contacted, and all campaigns are due. */
async function beginAnew({ workspace_id }: Scene) {
  await pool().query('DELETE FROM actions WHERE workspace_id = $1', [workspace_id])
  await pool().query('TRUNCATE sender_days, campaign_days, campaign_events, contact_wakes CASCADE')
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

/** One claim of each campaign, those without a policy in turns with the others; milliseconds, and how many people were contacted. */
async function round({ workspace_id }: Scene, written: Record<Side, number>) {
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

const planned = (workspace_id: string, campaign_id: string) =>
  timed(() => forecastCampaign(workspace_id, campaign_id, { offset: 0, limit: 100 }, new Date()))
const isAlone = ({ warnings }: { warnings: { code: string }[] }) =>
  warnings.some(({ code }) => code === 'earliest_dates')

/** Forecasts of campaigns whose people other campaigns have started with, too many to be simulated together. */
async function forecasts({ workspace_id }: Scene) {
  const campaigns = await db.campaign.findMany({
    where: { workspace_id },
    orderBy: { campaign_id: 'asc' },
    take: 10,
  })
  const times = sides()
  for (const { campaign_id, contact_policy_override } of campaigns) {
    const { ms, result } = await planned(workspace_id, campaign_id)
    if (!isAlone(result)) throw new Error('was walked with the others')
    times[contact_policy_override === null ? 'policy' : 'free'].push(ms)
  }
  return times
}

/** Forecasts of campaigns that are simulated together, in a workspace that has a policy and none in turns. */
async function forecastsTogether({ workspace_id }: Scene) {
  const campaigns = await db.campaign.findMany({ where: { workspace_id }, orderBy: { campaign_id: 'asc' } })
  const times = sides()
  // The first, some in between, and the last: on ties, the other campaigns come before it.
  for (const { campaign_id } of campaigns.filter((_, place) => place % 3 === 0))
    for (const side of ['policy', 'free'] as const) {
      await db.workspace.update({ where: { workspace_id }, data: side === 'policy' ? POLICY : FREE })
      const { ms, result } = await planned(workspace_id, campaign_id)
      if (isAlone(result) || result.total_actions !== PEOPLE * 3) throw new Error('was not walked to the end')
      times[side].push(ms)
    }
  return times
}

const crowded = await aScene()
const { workspace_id } = crowded
await db.workspace.update({ where: { workspace_id }, data: POLICY })
await fill(crowded, CAMPAIGNS)
const before = await aScene()
await fill(before, 3)
await sentBefore(before)
const walked = await aScene()
await fill(walked, WALKED)
// Otherwise the claims below would take these campaigns too.
await pool().query('UPDATE campaigns SET next_slot_at = NULL WHERE workspace_id = $1', [walked.workspace_id])
printNote(`${CAMPAIGNS} and ${WALKED} campaigns over the same ${PEOPLE} people`)
const all = { first: sides(), held: sides(), alone: sides(), together: sides() }
for (let run = 0; run < RUNS; run++) {
  await beginAnew(crowded)
  const each = (CAMPAIGNS / 2) * AT_ONCE
  const first = await round(crowded, { policy: each, free: each })
  const alone = await forecasts(crowded)
  const together = await forecastsTogether(walked)
  // Now their next people are in another campaign already.
  const held = await round(crowded, { policy: 0, free: each })
  for (const side of ['policy', 'free'] as const) {
    all.first[side].push(...first[side])
    all.held[side].push(...held[side])
    all.alone[side].push(...alone[side])
    all.together[side].push(...together[side])
    printNote(
      `${side}: ${median(first[side]).toFixed(1)} ms and ${median(held[side]).toFixed(1)} ms a claim, forecast ${median(alone[side]).toFixed(0)} ms alone and ${median(together[side]).toFixed(0)} ms together`,
    )
  }
}
const crowd = `${CAMPAIGNS} campaigns over ${PEOPLE.toLocaleString('en')} people`
const REASON = 'with a reason not to wait'
for (const [what, times, without] of [
  [`A claim of ${AT_ONCE} people who may begin, ${crowd}`, all.first, REASON],
  [`A claim of ${AT_ONCE} people whom another campaign has, ${crowd}`, all.held, REASON],
  [`The forecast of one with the earliest dates, ${crowd}`, all.alone, REASON],
  [
    `The forecast of one, walked together to the end, ${WALKED} campaigns over ${PEOPLE.toLocaleString('en')} people`,
    all.together,
    'walked together, no policy',
  ],
] as const) {
  const [ours, against] = [median(times.policy), median(times.free)]
  report({
    what: `${what}, with a contact policy`,
    ours: `${ours.toFixed(1)} ms`,
    against: `${against.toFixed(1)} ms (${without})`,
    ratio: (ours / against).toFixed(2),
    goal: `≤ ${GOAL}`,
    met: ours / against <= GOAL,
  })
}
await closeDatabase()
