import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { Reader } from '#lib/db/client'
import { type LeadFacts, NO_FACTS } from '#lib/domain/campaigns/step-conditions'
import type { FollowUp, OutOfReach } from '#lib/domain/sending/dispatch-state'
import { goOn } from '#lib/domain/sending/outcome'
import { isBranched, profileSql, type Reach } from '#lib/services/leads/enrolment-rule'
import { factsOfCampaign } from '#lib/services/leads/facts'
import { datasetRule, findRows, NONE_FOUND } from '#lib/services/leads/rows/whole-dataset'
import { HELD } from '#lib/services/leads/state/steps'
import { isSocial } from '#lib/services/senders/accounts/account-rows'

/**
 * SQL: lead indexes in ascending order, packed four bytes each, because a hundred thousand rows would be a
 * hundred thousand objects.
 */
const PACKED = (place: string) => `string_agg(int4send(${place}), '' ORDER BY ${place})`

/** Unpacks concatenated `int4send` values. */
export function unpackPlaces(packed: Buffer | null): Float64Array {
  const count = (packed?.length ?? 0) / 4
  const places = new Float64Array(count)
  for (let index = 0; packed && index < count; index++) places[index] = packed.readInt32BE(index * 4)
  return places
}

/** The dataset rows that a launch at this moment would enrol as active leads; `rule` is its `datasetRule`. */
export async function leadsOfDataset(reader: Reader, workspaceId: string, datasetId: string, rule: string) {
  const { rows } = await reader.query<{ places: Buffer | null }>(
    `SELECT ${PACKED('r.lead_index')} AS places FROM dataset_rows r ${rule}
     WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND why.reason IS NULL`,
    [workspaceId, datasetId],
  )
  return unpackPlaces(rows[0]?.places ?? null)
}

/**
 * The same if the rule is not known yet. Its check over all rows runs in parallel with its checks per row.
 */
export async function leadsToEnrol(
  reader: Reader,
  owned: { workspace_id: string; dataset_id: string },
  reach: Reach,
): Promise<Float64Array> {
  const { workspace_id, dataset_id } = owned
  const [leads, { replied, left, address, profile }] = await Promise.all([
    datasetRule(reader, owned, reach, NONE_FOUND).then((rule) =>
      leadsOfDataset(reader, workspace_id, dataset_id, rule),
    ),
    findRows(reader, dataset_id, reach),
  ])
  const passedOver = new Set([...replied, ...left, ...address, ...profile])
  return passedOver.size === 0 ? leads : leads.filter((lead) => !passedOver.has(lead))
}

/** Rows that the steps of one channel do not reach, if the campaign has social steps; null if it has none. */
export async function unreachedRows(
  reader: Reader,
  datasetId: string,
  { network }: Reach,
): Promise<OutOfReach | null> {
  if (network === null) return null
  const { rows } = await reader.query<{ lead_index: number; no_mail: boolean; no_profile: boolean }>(
    `SELECT * FROM (SELECT r.lead_index, r.email IS NULL AS no_mail, ${profileSql(network)} IS NULL AS no_profile
       FROM dataset_rows r WHERE r.dataset_id = $1) reached WHERE no_mail OR no_profile`,
    [datasetId],
  )
  return {
    email: new Set(rows.flatMap((row) => (row.no_mail ? [row.lead_index] : []))),
    social: new Set(rows.flatMap((row) => (row.no_profile ? [row.lead_index] : []))),
  }
}

/**
 * The unfinished leads of a campaign, read once: those before their first step, and those that one channel does
 * not reach. A profile may have turned out not to exist, and an edit may have left a lead without an address
 * with email steps only.
 */
export async function openLeads(
  reader: Reader,
  campaign: { campaign_id: string; steps_config: StepConfig[] },
): Promise<{ pending: Float64Array; out_of_reach: OutOfReach }> {
  const places = (which: string) => `string_agg(int4send(lead_index), '') FILTER (WHERE ${which})`
  const { rows } = await reader.query<Record<'pending' | 'no_mail' | 'no_profile', Buffer | null>>(
    `SELECT ${places(`status = 'pending'`)} AS pending, ${places('email IS NULL')} AS no_mail,
       ${places('$2 AND (social_profile IS NULL OR social_problem IS NOT NULL)')} AS no_profile
     FROM campaign_leads WHERE campaign_id = $1 AND status IN ('pending', 'active')`,
    [campaign.campaign_id, isSocial(campaign)],
  )
  const { pending = null, no_mail = null, no_profile = null } = rows[0] ?? {}
  const out_of_reach = { email: new Set(unpackPlaces(no_mail)), social: new Set(unpackPlaces(no_profile)) }
  return { pending: unpackPlaces(pending).sort(), out_of_reach }
}

type Away = { lead_index: number; until: Date }

const toUntil = (rows: Away[]): ReadonlyMap<number, number> =>
  new Map(rows.map(({ lead_index, until }) => [lead_index, until.getTime()]))

/** When each person of a campaign who is away after an instant will be back, by lead_index, and the leads of people who have left, which the next claim ends. */
export async function awayLeads(reader: Reader, campaignId: string, after: Date) {
  const { rows } = await reader.query<Away & { is_away: boolean; has_left: boolean }>(
    `SELECT l.lead_index, gone.until, gone.until > $2 AS is_away, ${HAS_LEFT} AS has_left
     FROM campaigns c JOIN workspaces w USING (workspace_id)
       JOIN absences gone ON gone.workspace_id = c.workspace_id AND (gone.until > $2 OR gone.left_at IS NOT NULL)
       JOIN campaign_leads l ON l.workspace_id = gone.workspace_id AND l.email = gone.email
     WHERE c.campaign_id = $1 AND l.campaign_id = c.campaign_id AND l.status IN ('pending', 'active')`,
    [campaignId, after],
  )
  const left = rows.flatMap(({ lead_index, has_left }) => (has_left ? [lead_index] : []))
  return { away: toUntil(rows.filter(({ is_away }) => is_away)), left: new Set(left) }
}

const HAS_LEFT = `(gone.left_at IS NOT NULL AND w.after_reply = 'everywhere' AND c.contact_policy_override IS NULL
  AND NOT ${isBranched('b.campaign_id = l.campaign_id', 'l.email', 'gone.left_at')})`

/** The same for the rows of a dataset before they are enrolled. */
export async function awayRows(reader: Reader, workspaceId: string, datasetId: string, after: Date) {
  const { rows } = await reader.query<Away>(
    `SELECT r.lead_index, b.until FROM absences b JOIN dataset_rows r ON r.email = b.email
     WHERE b.workspace_id = $1 AND b.until > $3 AND r.workspace_id = $1 AND r.dataset_id = $2`,
    [workspaceId, datasetId, after],
  )
  return toUntil(rows)
}

/**
 * An unknown connection counts as not connected: accepting an invitation is an event, and the forecast
 * assumes none.
 */
const asForecast = (facts = NO_FACTS): LeadFacts =>
  facts.connected === null ? { ...facts, connected: false } : facts

type Waiting = [
  lead_index: number,
  step: number,
  due: number,
  mailbox: string | null,
  account: string | null,
  asleep?: FollowUp['asleep'] | null,
  timezone?: string | null,
]

/**
 * Leads between two steps; with `released`, held ones too, as if they were checked again at that instant. A
 * lead whose action is in progress counts as accepted, like every action in a forecast.
 */
export async function waitingLeads(
  reader: Reader,
  campaign: { campaign_id: string; steps_config: StepConfig[]; timezone: string },
  released: Date | null,
): Promise<FollowUp[]> {
  const waits = `l.status = 'active' AND l.next_action_at IS NOT NULL`
  const { rows: waiting } = await reader.query<Waiting>({
    rowMode: 'array',
    text: `SELECT lead_index, next_step, (extract(epoch FROM coalesce(next_action_at, $2::timestamptz)) * 1000)::float8, mailbox_id,
        connected_account_id,
        CASE WHEN next_action_at = put_off_until AND reason IN ('person_busy', 'company_busy') THEN reason END
      FROM campaign_leads l
      WHERE campaign_id = $1 AND ${released ? `(${waits} OR ${HELD})` : waits}`,
    values: [campaign.campaign_id, released],
  })
  const { rows: underway } = await reader.query<Waiting>({
    rowMode: 'array',
    text: `SELECT l.lead_index, a.step, (extract(epoch FROM a.performed_at) * 1000)::float8, l.mailbox_id,
        l.connected_account_id, NULL, l.timezone
      FROM campaign_leads l JOIN actions a USING (campaign_lead_id)
      WHERE a.campaign_id = $1 AND a.status = 'sending' AND l.status = 'active' AND l.next_action_at IS NULL`,
    values: [campaign.campaign_id],
  })
  const after = underway.flatMap(([lead_index, step, performed_at, mailbox, account, , own]): Waiting[] => {
    const { next } = goOn({ ...campaign, timezone: own ?? campaign.timezone, step, performed_at })
    return next ? [[lead_index, next.step, next.due_at, mailbox, account]] : []
  })
  const facts = await factsOfCampaign(reader, campaign)
  return [...waiting, ...after].map(([lead_index, step, due_at, mailbox_id, account_id, asleep]) => ({
    lead_index,
    step,
    due_at,
    mailbox_id,
    account_id,
    ...(asleep && { asleep }),
    facts: asForecast(facts.get(lead_index)),
  }))
}
