import { setImmediate } from 'node:timers/promises'
import type { z } from 'zod'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { FileAnswer } from '#lib/contracts/fields'
import type { ExportCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { statusesAsked } from '#lib/domain/leads/lead-states'
import { ownValue } from '#lib/domain/text/own-value'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import type { DatasetColumn } from '#lib/services/datasets/datasets'
import { searchTextSql } from '#lib/services/datasets/lead-search'
import { withExportSeat } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'
import { isWaitingSql, waitSql } from '#lib/services/leads/waits-for'

const PAGE = 2_000
const OWN = [
  'lead_index',
  'email',
  'status',
  'current_step',
  'next_action_at',
  'last_event',
  'reason',
  'reason_detail',
  'waits_why',
  'waits_for',
  'waits_until',
] as const

type TrackedColumn = 'opened_at' | 'clicked_at'

/**
 * When the person first opened or clicked; a click counts as an open too. No column for what no step tracks.
 */
const trackedColumns = (steps: StepConfig[]): TrackedColumn[] => [
  ...(steps.some((step) => step.track_opens) ? (['opened_at'] as const) : []),
  ...(steps.some((step) => step.track_clicks) ? (['clicked_at'] as const) : []),
]

/**
 * For campaigns with social steps: the person's profile, the account that contacts them, and since when they
 * are connected.
 */
const PERSON = ['social_profile', 'social_account', 'connected_at'] as const

/**
 * When each step was sent; for social steps also the result, since most of those not performed have a reason.
 */
const stepColumns = (steps: StepConfig[]): string[] =>
  steps.flatMap(({ step, channel }) =>
    channel === 'social' ? [`step_${step}_at`, `step_${step}_result`] : [`step_${step}_at`],
  )

type Step = { status: string; response: string | null }

/**
 * For each step, when it was sent or may have been; for social steps also its status and the provider's
 * response.
 */
type Performed = Record<`step_${number}_${'at' | 'status' | 'response'}`, string | null>

function stepCells(steps: StepConfig[], lead: Performed): (string | null)[] {
  return steps.flatMap(({ step, channel, condition }) => {
    const left = toIso(lead[`step_${step}_at`])
    if (channel !== 'social') return [left]
    const [status, response] = [lead[`step_${step}_status`], lead[`step_${step}_response`] ?? null]
    return [left, status ? describeResult({ status, response }, condition) : null]
  })
}

/** A lead has at most one action per step, so max() picks it. Without steps this still returns one row. */
const performedSql = (steps: StepConfig[]) => [
  'count(*) AS performed',
  ...steps.flatMap(({ step, channel }) => {
    const greatest = (value: string, name: string, which = '') =>
      `max(${value}) FILTER (WHERE a.step = ${step} ${which}) AS step_${step}_${name}`
    const at = greatest(
      `(a.performed_at AT TIME ZONE 'UTC')::text`,
      'at',
      `AND a.status IN ('sent', 'uncertain')`,
    )
    return channel === 'social'
      ? [at, greatest('a.status::text', 'status'), greatest('a.response', 'response')]
      : [at]
  }),
]

/** An ISO timestamp from Postgres' UTC text, to the second. */
const toIso = (text: string | null | undefined) =>
  text ? `${text.slice(0, 10)}T${text.slice(11, 19)}Z` : null

function describeResult({ status, response }: Step, condition: string): string {
  if (status === 'sent') return status
  const why = response ?? (status === 'skipped' ? `The condition “${condition}” was not met.` : null)
  return why ? `${status}: ${why}` : status
}

type ExportedLead = Record<(typeof OWN)[number], string | number | null> & {
  opened_at: string | null
  clicked_at: string | null
  data: Record<string, string>
} & Performed &
  Record<(typeof PERSON)[number], string | null>

/** The filtered leads with their rows and step times, read page by page while the file is written. */
export async function exportCampaignLeads(
  workspaceId: string,
  campaignId: string,
  { format, search, waiting, ...asked }: z.output<typeof ExportCampaignLeads.query>,
  now: Date,
): Promise<FileAnswer> {
  const campaign = await getCampaign(workspaceId, campaignId)
  const { rows } = await pool().query<{ columns: DatasetColumn[] }>(
    'SELECT columns FROM datasets WHERE dataset_id = $1 AND workspace_id = $2',
    [campaign.dataset_id, workspaceId],
  )
  const keys = (rows[0]?.columns ?? []).map((column) => column.key).filter((key) => key !== 'email')
  const steps = campaign.steps_config
  const person = steps.some((step) => step.channel === 'social') ? PERSON : []
  const watched = trackedColumns(campaign.steps_config)
  const columns = [...OWN, ...person, ...stepColumns(steps), ...watched, ...keys]
  const file = tableFile(
    campaign.name,
    format,
    columns,
    pages(
      [
        workspaceId,
        campaignId,
        statusesAsked(asked, campaign.status),
        search ? `%${likeText(search.toLowerCase())}%` : null,
        now,
        waiting === undefined ? null : waiting === 'true',
      ],
      { keys, steps, watched, person },
    ),
  )
  return withExportSeat(workspaceId, file)
}

type Columns = {
  keys: string[]
  steps: StepConfig[]
  watched: TrackedColumn[]
  person: readonly (typeof PERSON)[number][]
}

type Which = [
  workspaceId: string,
  campaignId: string,
  statuses: LeadStatus[] | null,
  like: string | null,
  now: Date,
  isWaiting: boolean | null,
]

async function* pages(
  [workspaceId, campaignId, ...which]: Which,
  { keys, steps, watched, person }: Columns,
): AsyncGenerator<(string | number | null)[][]> {
  const sql = leadsSql(steps, person.length > 0, watched.length > 0)
  const read = (after: number) => {
    const values = [campaignId, workspaceId, after, PAGE, ...which]
    const page = pool().query<ExportedLead>(sql, values)
    // If the reader stops early, nobody awaits this page and a rejection would be unhandled; otherwise it is
    // handled where the page is awaited.
    page.catch(() => {})
    return page
  }
  for (let page = read(-1); ; ) {
    const { rows } = await page
    const last = rows.at(-1)
    if (!last) return
    // Request the next page before writing this one, so that Postgres works meanwhile. The query is sent on
    // the next turn of the event loop.
    page = read(Number(last.lead_index))
    await setImmediate()
    yield rows.map((lead) => [
      ...OWN.map((name) => lead[name]),
      ...person.map((name) => lead[name]),
      ...stepCells(steps, lead),
      ...watched.map((name) => lead[name]),
      ...keys.map((key) => ownValue(lead.data, key) ?? null),
    ])
  }
}

const ISO = `'YYYY-MM-DD"T"HH24:MI:SS"Z"'`

const PEOPLE = `LEFT JOIN connected_accounts c ON c.account_id = l.connected_account_id
  LEFT JOIN social_people p ON p.account_id = l.connected_account_id AND p.provider_id = l.social_provider_id
    AND p.relation = 'connected'`
const WATCHED = `CROSS JOIN LATERAL (SELECT min(first_at) AS opened_at, min(first_at) FILTER (WHERE kind = 'click') AS clicked_at
    FROM tracking_events t WHERE t.campaign_lead_id = l.campaign_lead_id AND t.class = 'human') t`

/** Reads only what has a column. */
const leadsSql = (steps: StepConfig[], isSocial: boolean, isWatched: boolean) => `
  SELECT l.lead_index, l.email, l.status, l.current_step, l.last_event, l.reason, l.reason_detail,
    coalesce(r.data, '{}') AS data,
    to_char(l.next_action_at AT TIME ZONE 'UTC', ${ISO}) AS next_action_at,
    done.*, w.why AS waits_why, coalesce(w.campaign_name, w.colleague) AS waits_for,
    to_char(w.not_before AT TIME ZONE 'UTC', ${ISO}) AS waits_until,
    ${isSocial ? `l.social_profile, c.name AS social_account, to_char(p.connected_at AT TIME ZONE 'UTC', ${ISO})` : 'NULL'} AS connected_at,
    ${
      isWatched
        ? `to_char(t.opened_at AT TIME ZONE 'UTC', ${ISO}) AS opened_at, to_char(t.clicked_at AT TIME ZONE 'UTC', ${ISO})`
        : 'NULL'
    } AS clicked_at
  FROM campaign_leads l LEFT JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
  CROSS JOIN LATERAL (SELECT ${performedSql(steps).join(', ')} FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id) done
  LEFT JOIN LATERAL ${waitSql('$7::timestamptz')} w ON true
  ${isSocial ? PEOPLE : ''} ${isWatched ? WATCHED : ''}
  WHERE l.campaign_id = $1 AND l.workspace_id = $2 AND l.lead_index > $3
    AND ($5::"LeadStatus"[] IS NULL OR l.status = ANY ($5)) AND ($6::text IS NULL OR l.email LIKE $6 OR ${searchTextSql('r')} LIKE $6)
    AND ($8::boolean IS NULL OR ${isWaitingSql('$2', '$7::timestamptz')} = $8)
  ORDER BY l.lead_index LIMIT $4`
