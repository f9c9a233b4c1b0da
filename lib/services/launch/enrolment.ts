import { DatabaseError } from 'pg'
import { db, pool } from '#lib/db/client'
import { toStatements } from '#lib/db/statements'
import { inTransaction, withHeldParent } from '#lib/db/transaction'
import { loadZone, moveDays } from '#lib/domain/calendar/zoned-time'
import { stepAction } from '#lib/domain/campaigns/campaign-type'
import { typedCampaign } from '#lib/services/campaigns/campaigns'
import { moveCampaign } from '#lib/services/campaigns/state'
import { rowsByPlace } from '#lib/services/datasets/rows-by-place'
import { forecastOfLaunch } from '#lib/services/forecast/launch-dates'
import { blockingProblems } from '#lib/services/launch/checks'
import { campaignReach } from '#lib/services/leads/channels'
import { filledLists, rowsOnList } from '#lib/services/leads/on-list'
import { identifyRows } from '#lib/services/leads/people/identify'
import type { ByTelephone, Rows } from '#lib/services/leads/people/telephones'
import { clockColumns, clocksOfRows } from '#lib/services/leads/rows/clocks'
import { findRows, leftAmong } from '#lib/services/leads/rows/whole-dataset'
import { enrolRowsSql, UNLESS_ENROLLED } from '#lib/services/leads/state/enrolment'

/** Rows enrolled per statement. Each statement updates the counters, and so the progress shown. */
const BATCH = 10_000

/** The first batch is small and runs alone: while Postgres takes a table for empty, it scans the table in full for each row. */
const FIRST_BATCH = 500

/** Batches that run in parallel, because Postgres uses only one core for a statement that writes. */
const LANES = 2

const UNIQUE_VIOLATION = '23505'

/**
 * Enrols the rows of the dataset as leads, in batches. Rows that are enrolled already are passed over, so the step may run twice and a
 * failed launch may be retried. Rows without an address, suppressed rows and repeated addresses are enrolled as `skipped` with a reason, so
 * that leads add up to rows.
 */
export async function enrolLeads(campaignId: string, now: Date): Promise<{ enrolled: number }> {
  const campaign = await db.campaign.findUnique({ where: { campaign_id: campaignId } })
  if (campaign?.status !== 'launching') return { enrolled: 0 }
  const { dataset_id, workspace_id, timezone, schedule_timezone } = campaign
  const first = typedCampaign(campaign).steps_config[0]
  const reach = await campaignReach(typedCampaign(campaign))
  const dueAt = new Date(moveDays(loadZone(timezone), now.getTime(), first?.delay_days ?? 0))
  const { rows: range } = await pool().query<{ last: number | null }>(
    'SELECT max(lead_index) AS last FROM dataset_rows WHERE dataset_id = $1',
    [dataset_id],
  )
  const { replied, left, address, profile } = await findRows(pool(), dataset_id, reach)
  const conditions = { ...FOUND_BEFORE, left: leftAmong(left) }
  const repeats = reach.network ? [address, profile] : [address]
  const keepsClocks = schedule_timezone === 'lead'
  const firstClock = keepsClocks ? 10 + repeats.length : null
  const last = range[0]?.last ?? -1
  // Most rows name people that are already known exactly as the row says. Identifying a whole batch first would add half the cost of
  // enrolling it, so that is done only for the rows left over.
  let areKnown = true
  const enrolFrom = async (from: number, until: number) => {
    const of = 'r.lead_index >= $3 AND r.lead_index < $4'
    const rows = { workspace_id, dataset_id, which: of, values: [from, until] }
    const listed = await rowsOnList(pool(), { ...rows, which: 'r.lead_index >= $5 AND r.lead_index < $6' })
    const lists = await filledLists(pool(), workspace_id)
    const which = {
      rows: rowsByPlace('$2', `r.workspace_id = $1 AND ${of}`),
      values: [workspace_id, dataset_id, from, until],
    }
    const clocks = keepsClocks ? [...clockColumns(await clocksOfRows(pool(), which)), timezone] : []
    const as = [campaignId, dataset_id, workspace_id, dueAt, first && stepAction(first), now]
    const enrol = (people: ByTelephone | 'known') => {
      const sql = enrolRowsSql(reach, { listed, lists, people }, conditions, LAUNCHED_ROWS, firstClock)
      return enrolBatch(campaignId, sql, [...as, from, until, replied, ...repeats, ...clocks])
    }
    let known = 0
    if (areKnown) {
      known = await enrol('known')
      if (known === Math.min(until, last + 1) - from || known === (await countRows(rows))) return known
      areKnown = known > (until - from) / 2
    }
    const naming = { ...rows, which: `${of} AND NOT r.lead_index = ANY ($5)`, values: [from, until, address] }
    const people = await identifyRows(pool(), naming, reach.network)
    return known + (await enrol(people))
  }
  let enrolled = await enrolFrom(0, FIRST_BATCH)
  let next = FIRST_BATCH
  const takeBatches = async () => {
    while (next <= last) {
      const from = next
      next += BATCH
      const more = await enrolFrom(from, from + BATCH)
      enrolled += more
    }
  }
  await Promise.all(Array.from({ length: LANES }, takeBatches))
  return { enrolled }
}

async function countRows({ workspace_id, dataset_id, which, values }: Rows): Promise<number> {
  const { rows } = await pool().query<{ count: number }>(
    `SELECT count(*)::int AS count FROM ${rowsByPlace('$2', `r.workspace_id = $1 AND ${which}`)} r`,
    [workspace_id, dataset_id, ...values],
  )
  return rows[0]?.count ?? 0
}

/**
 * Normally no row is enrolled yet. Only if the launch is retried or runs twice does a unique violation occur, and then each row is checked.
 */
async function enrolBatch(campaignId: string, enrol: string, values: unknown[]): Promise<number> {
  try {
    return await writeLeads(campaignId, enrol, values)
  } catch (error) {
    if (!(error instanceof DatabaseError && error.code === UNIQUE_VIOLATION)) throw error
    return writeLeads(campaignId, `${enrol} ${UNLESS_ENROLLED}`, values)
  }
}

const writeLeads = (campaignId: string, enrol: string, values: unknown[]): Promise<number> =>
  inTransaction(pool(), async (client) => {
    await client.query('SELECT 1 FROM campaigns WHERE campaign_id = $1 FOR KEY SHARE', [campaignId])
    const { rowCount } = await withHeldParent(client, 'campaign_leads', () => client.query(enrol, values))
    return rowCount ?? 0
  })

const FOUND_BEFORE = {
  replied: 'r.lead_index = ANY ($9)',
  address: 'r.lead_index = ANY ($10)',
  profile: 'r.lead_index = ANY ($11)',
}

/** Guarded by the status, so that a pause or a deletion between two batches ends the enrolment. */
const LAUNCHED_ROWS = `r.lead_index >= $7 AND r.lead_index < $8
  AND EXISTS (SELECT 1 FROM campaigns WHERE campaign_id = $1 AND status = 'launching')`

/**
 * The last step of a launch: from here on dispatch sees the campaign. The forecast of this moment is stored with it. Returns false if the
 * campaign was paused meanwhile.
 */
export async function activateCampaign(campaignId: string, now: Date): Promise<boolean> {
  const launch = await forecastOfLaunch(campaignId, now)
  const active = await db.$transaction(async (tx) => {
    const { total_leads: leads } = await tx.campaign.findUniqueOrThrow({ where: { campaign_id: campaignId } })
    const row = await moveCampaign(
      toStatements(tx),
      { campaign_id: campaignId, status: 'launching' },
      { by: 'enrolled', facts: { launched_at: now }, log: { kind: 'launched', detail: { leads } } },
      now,
    )
    if (!row) return false
    await tx.launchForecast.upsert({
      where: { campaign_id: campaignId },
      create: { campaign_id: campaignId, ...launch },
      update: launch,
    })
    return true
  })
  return active
}

/** Marks a launch as failed. Enrolled leads stay, nothing was sent, and the launch may be retried. */
export async function failLaunch(campaignId: string, error: string, now = new Date()): Promise<void> {
  const launch_error = error.slice(0, 1_000)
  await inTransaction(pool(), (client) =>
    moveCampaign(
      client,
      { campaign_id: campaignId, status: 'launching' },
      { by: 'fail', launch_error, log: { kind: 'launch_failed', reason: launch_error } },
      now,
    ),
  )
}

/** Checks again when the launch runs, since what it depends on may be gone by then. If so, the launch fails with every reason named. */
export async function launchStillPossible(campaignId: string): Promise<boolean> {
  const campaign = await db.campaign.findUnique({ where: { campaign_id: campaignId } })
  if (campaign?.status !== 'launching') return false
  const problems = await blockingProblems(typedCampaign(campaign))
  if (problems.length > 0) await failLaunch(campaignId, problems.map((problem) => problem.message).join(' '))
  return problems.length === 0
}
