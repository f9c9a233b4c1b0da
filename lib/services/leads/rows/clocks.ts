import { db, pool } from '#lib/db/client'
import type { Statements } from '#lib/db/statements'
import type { ScheduleTimezone } from '#lib/domain/calendar/schedule'
import { weighZone, type ZoneSource } from '#lib/domain/enrichment/zone-evidence'

/** Rows, by lead_index, with the same time zone, and the column it was derived from. */
export type RowsOfClock = { timezone: string; source: ZoneSource; lead_indexes: number[] }

/** `rows`: SQL of the rows `r` in a FROM clause. */
type Which = { rows: string; values: unknown[] }

type Evidence = Record<
  'timezone' | 'country' | 'city' | 'state' | 'phone' | 'website' | 'email' | 'list',
  string
>

/** The cells of a row from which a zone can be derived. */
export const CLOCK_FIELDS: readonly string[] = [
  'timezone',
  'country',
  'city',
  'state',
  'phone',
  'website',
  'email',
]

const cell = (field: string) => `left(btrim(coalesce(r.data ->> '${field}', ''), E' \\t\\r\\n'), 200)`
/** SQL that is evaluated only if the row has no country, so that rows of the same place group together. */
const withoutCountry = (sql: string) => `CASE WHEN ${cell('country')} = '' THEN ${sql} ELSE '' END`

const EVIDENCE = `SELECT ${cell('timezone')} AS timezone, ${cell('country')} AS country, ${cell('city')} AS city,
    ${cell('state')} AS state, ${withoutCountry(cell('phone'))} AS phone, ${withoutCountry(cell('website'))} AS website,
    ${withoutCountry(`coalesce('x@' || split_part(r.email, '@', 2), '')`)} AS email,
    string_agg(r.lead_index::text, ',') AS list`

/**
 * The time zones of rows `r` as far as their cells tell (`weighZone`); rows without evidence are left out.
 * Each distinct place is weighed once, however many rows have it.
 */
export async function clocksOfRows(reader: Statements, which: Which): Promise<RowsOfClock[]> {
  const { rows } = await reader.query<Evidence>(
    `${EVIDENCE} FROM ${which.rows} r GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    which.values,
  )
  const clocks = new Map<string, RowsOfClock>()
  for (const { list, ...evidence } of rows) {
    const zone = weighZone(evidence)
    if (zone.kind === 'none') continue
    const { timezone, source } = zone
    const key = `${timezone} ${source}`
    const clock = clocks.get(key) ?? { timezone, source, lead_indexes: [] }
    clocks.set(key, clock)
    for (const lead_index of list.split(',')) clock.lead_indexes.push(Number(lead_index))
  }
  return [...clocks.values()].sort((a, b) => (a.timezone < b.timezone ? -1 : 1))
}

export const clocksOfDataset = (reader: Statements, workspaceId: string, datasetId: string) =>
  clocksOfRows(reader, {
    rows: '(SELECT * FROM dataset_rows r WHERE r.workspace_id = $1 AND r.dataset_id = $2)',
    values: [workspaceId, datasetId],
  })

/** With more rows than this, they are not counted while the page waits. */
const MOST_COUNTED = 20_000
const MOST_SHOWN = 3

/**
 * For how many people of a list the zone is known, and the most frequent zones; null if there are too many
 * rows to count.
 */
export async function countClocks(workspaceId: string, datasetId: string) {
  const { row_count: people } = await db.dataset.findFirstOrThrow({
    where: { workspace_id: workspaceId, dataset_id: datasetId },
    select: { row_count: true },
  })
  if (people > MOST_COUNTED) return null
  const clocks = await clocksOfDataset(pool(), workspaceId, datasetId)
  const zones = [...Map.groupBy(clocks, ({ timezone }) => timezone)]
    .map(([timezone, of]) => ({
      timezone,
      people: of.reduce((sum, one) => sum + one.lead_indexes.length, 0),
    }))
    .sort((a, b) => b.people - a.people)
  const known = zones.reduce((sum, zone) => sum + zone.people, 0)
  return { people, known, zones: zones.slice(0, MOST_SHOWN) }
}

/** The arrays for `unnest` in a join: lead_index, timezone, source. */
export const clockColumns = (clocks: readonly RowsOfClock[]): [number[], string[], string[]] => [
  clocks.flatMap(({ lead_indexes }) => lead_indexes),
  clocks.flatMap(({ lead_indexes, timezone }) => lead_indexes.map(() => timezone)),
  clocks.flatMap(({ lead_indexes, source }) => lead_indexes.map(() => source)),
]

type Keeping = {
  campaign_id: string
  workspace_id: string
  dataset_id: string
  timezone: string
  schedule_timezone: ScheduleTimezone
}

/**
 * Derives the zones of enrolled leads again: of all leads of a locked campaign, or of those at these places.
 * Finished leads are included, since they may be resumed.
 */
export async function readClocks(
  client: Statements,
  campaign: Keeping,
  leadIndexes: number[] | null,
): Promise<void> {
  const { campaign_id, workspace_id, dataset_id, timezone } = campaign
  const clocks = await clocksOfRows(client, {
    rows: `(SELECT * FROM dataset_rows r WHERE r.workspace_id = $1::uuid AND r.dataset_id = $2::uuid
      AND ($3::int[] IS NULL OR r.lead_index = ANY ($3::int[])))`,
    values: [workspace_id, dataset_id, leadIndexes],
  })
  await client.query(
    `UPDATE campaign_leads l SET timezone = coalesce(z.timezone, $4::text), timezone_source = z.source
     FROM campaign_leads o LEFT JOIN unnest($5::int[], $6::text[], $7::text[]) z (lead_index, timezone, source)
       ON z.lead_index = o.lead_index
     WHERE l.campaign_lead_id = o.campaign_lead_id AND o.campaign_id = $1::uuid AND o.workspace_id = $2::uuid
       AND ($3::int[] IS NULL OR o.lead_index = ANY ($3::int[]))
       AND (l.timezone, l.timezone_source) IS DISTINCT FROM (coalesce(z.timezone, $4::text), z.source)`,
    [campaign_id, workspace_id, leadIndexes, timezone, ...clockColumns(clocks)],
  )
}

/**
 * Updates the leads' zones of a locked campaign after an edit of its own zone, or of whose clock it follows.
 */
export async function settleClocks(client: Statements, before: Keeping, after: Keeping): Promise<void> {
  const of = [after.campaign_id, after.workspace_id]
  if (after.schedule_timezone !== before.schedule_timezone) {
    if (after.schedule_timezone === 'lead') return readClocks(client, after, null)
    await client.query(
      `UPDATE campaign_leads SET timezone = NULL, timezone_source = NULL
       WHERE campaign_id = $1::uuid AND workspace_id = $2::uuid AND timezone IS NOT NULL`,
      of,
    )
  } else if (after.schedule_timezone === 'lead' && after.timezone !== before.timezone)
    await client.query(
      `UPDATE campaign_leads SET timezone = $3::text
       WHERE campaign_id = $1::uuid AND workspace_id = $2::uuid AND timezone_source IS NULL`,
      [...of, after.timezone],
    )
}

/** By lead_index; null: the campaign's zone. Absent if all leads follow the campaign's clock. */
export type TimezoneOf = { timezone_of?: (lead_index: number) => string | null }

export function findTimezones(clocks: readonly RowsOfClock[]): Required<TimezoneOf> {
  const zones = new Map<number, string>()
  for (const { timezone, lead_indexes } of clocks) for (const lead of lead_indexes) zones.set(lead, timezone)
  return { timezone_of: (lead_index) => zones.get(lead_index) ?? null }
}

/**
 * The zones of a campaign's unfinished leads. If the stored campaign does not follow lead clocks, they are
 * derived as saving the edit would.
 */
export async function timezonesOfLeads(reader: Statements, campaign: Keeping): Promise<TimezoneOf> {
  const { campaign_id, workspace_id, dataset_id } = campaign
  if (campaign.schedule_timezone !== 'lead') return {}
  const { rows } = await reader.query<{ timezone: string; source: ZoneSource | null; list: string }>(
    `SELECT timezone, timezone_source AS source, string_agg(lead_index::text, ',') AS list FROM campaign_leads
     WHERE campaign_id = $1 AND workspace_id = $2 AND status IN ('pending', 'active') AND timezone IS NOT NULL
     GROUP BY 1, 2`,
    [campaign_id, workspace_id],
  )
  if (rows.length === 0) return findTimezones(await clocksOfDataset(reader, workspace_id, dataset_id))
  return findTimezones(
    rows.flatMap(({ source, list, timezone }) =>
      source ? [{ timezone, source, lead_indexes: list.split(',').map(Number) }] : [],
    ),
  )
}

/**
 * SQL: the distinct zones of one queue of a campaign; one index lookup per zone, however many leads have it.
 */
const zonesSql = (name: string, where: string, campaign: string) => {
  const first = (
    after: string,
  ) => `SELECT l.timezone FROM campaign_leads l WHERE l.campaign_id = ${campaign} AND ${where}
    AND l.timezone IS NOT NULL ${after} ORDER BY l.timezone LIMIT 1`
  return `${name} AS ((${first('')}) UNION ALL
    SELECT (${first(`AND l.timezone > ${name}.timezone`)}) FROM ${name} WHERE ${name}.timezone IS NOT NULL)`
}

/** SQL: the zones of a campaign's waiting leads. `campaign` is SQL of its id. */
export const waitingZonesSql = (campaign: string) => `WITH RECURSIVE
  ${zonesSql('fresh', `l.status = 'pending'`, campaign)},
  ${zonesSql('begun', `l.status = 'active' AND l.next_action_at IS NOT NULL`, campaign)}
  SELECT timezone FROM fresh WHERE timezone IS NOT NULL UNION SELECT timezone FROM begun WHERE timezone IS NOT NULL`
