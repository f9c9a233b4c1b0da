import { db, type Reader } from '#lib/db/client'
import { CAMPAIGN_STATUSES, mayDispatch } from '#lib/domain/campaigns/campaign-status'
import type { ContactRules } from '#lib/domain/sending/contact-hold'
import type { Forecastable } from '#lib/services/forecast/input'

/** Another running campaign, with the fields that show what it may share with the campaign being forecast. */
type Neighbour = {
  campaign_id: string
  by_email: boolean
  by_social: boolean
  alias_ids: string[] | null
  connected_account_id: string | null
  /** Its unfinished leads. */
  leads: number
}

export type Near = { rules: ContactRules; owner_timezone: string; neighbours: Neighbour[]; leads: number }

/**
 * The running campaigns that influence when this one sends: those that share its senders, its people or their
 * companies, and those that share any of these with such a campaign. Null if no other campaign was ever
 * launched and people of one company need not wait for each other.
 */
export async function findNear(
  reader: Reader,
  campaign: Forecastable,
  isLaunched: boolean,
): Promise<Near | null> {
  const { workspace_id, campaign_id } = campaign
  const [workspace, launched, running] = await Promise.all([
    db.workspace.findUniqueOrThrow({
      where: { workspace_id },
      select: { timezone: true, one_campaign_at_a_time: true, company_max_active: true, rest_days: true },
    }),
    db.campaign.findFirst({
      where: { workspace_id, campaign_id: { not: campaign_id }, launched_at: { not: null } },
      select: { campaign_id: true },
    }),
    findRunning(reader, campaign),
  ])
  const { timezone, ...rules } = workspace
  if (!launched && rules.company_max_active === null) return null
  const neighbours = await closure(reader, campaign, running, rules, isLaunched)
  const leads = neighbours.reduce((sum, one) => sum + one.leads, 0)
  return { rules, owner_timezone: timezone, neighbours, leads }
}

/**
 * All other running campaigns. A workspace may have hundreds, so only the columns that decide about sharing
 * are read.
 */
async function findRunning(reader: Reader, { workspace_id, campaign_id }: Forecastable) {
  const uses = (channel: string) => `steps_config @> '[{"channel": "${channel}"}]'`
  const { rows } = await reader.query<Neighbour>(
    `SELECT campaign_id, ${uses('email')} AS by_email, ${uses('social')} AS by_social, alias_ids, connected_account_id,
       greatest(0, coalesce(total_leads, 0) - processed_leads) AS leads
     FROM campaigns WHERE workspace_id = $1 AND campaign_id <> $2 AND status::text = ANY ($3)`,
    [workspace_id, campaign_id, CAMPAIGN_STATUSES.filter(mayDispatch)],
  )
  return rows
}

/** All campaigns that can be reached from this one through shared senders, people or companies. */
async function closure(
  reader: Reader,
  asked: Forecastable,
  running: Neighbour[],
  rules: ContactRules,
  isLaunched: boolean,
): Promise<Neighbour[]> {
  const near: Neighbour[] = []
  const uses = (channel: string) => asked.steps_config.some((step) => step.channel === channel)
  let rest = running
  let from: Sharing[] = [{ ...asked, by_email: uses('email'), by_social: uses('social') }]
  while (from.length > 0 && rest.length > 0) {
    const bySenders = new Set(rest.filter((one) => from.some((other) => shareSenders(one, other))))
    const others = rest.filter((one) => !bySenders.has(one))
    const withPeople = await sharePeople(reader, from, others, rules, {
      workspace_id: asked.workspace_id,
      dataset_id: isLaunched ? null : asked.dataset_id,
    })
    const reached = [...bySenders, ...others.filter((one) => withPeople.has(one.campaign_id))]
    near.push(...reached)
    rest = rest.filter((one) => !reached.includes(one))
    from = reached
  }
  return near
}

type Sharing = Omit<Neighbour, 'leads'>

function shareSenders(one: Sharing, other: Sharing): boolean {
  const mail =
    one.by_email &&
    other.by_email &&
    (one.alias_ids === null ||
      other.alias_ids === null ||
      one.alias_ids.some((id) => other.alias_ids?.includes(id)))
  const social =
    one.by_social &&
    other.by_social &&
    (one.connected_account_id === null ||
      other.connected_account_id === null ||
      one.connected_account_id === other.connected_account_id)
  return mail || social
}

/** Which of the other campaigns share people or companies with the campaigns already found. */
async function sharePeople(
  reader: Reader,
  from: Sharing[],
  others: Neighbour[],
  rules: ContactRules,
  /** `dataset_id`: the rows of the campaign being forecast, if it is not launched. */
  { workspace_id, dataset_id }: { workspace_id: string; dataset_id: string | null },
): Promise<Set<string>> {
  if (
    others.length === 0 ||
    (!rules.one_campaign_at_a_time && rules.company_max_active === null && rules.rest_days === 0)
  )
    return new Set()
  const isSame =
    rules.company_max_active === null
      ? 'mine.person_id = theirs.person_id'
      : '(mine.person_id = theirs.person_id OR mine.company_id = theirs.company_id)'
  const open = `SELECT l.person_id, p.company_id FROM campaign_leads l JOIN people p USING (person_id)
    WHERE l.status IN ('pending', 'active') AND l.workspace_id = $1`
  const drafted = `SELECT coalesce(p.merged_into_id, p.person_id), p.company_id FROM dataset_rows r
    JOIN people p ON p.workspace_id = r.workspace_id AND p.email = r.email
    WHERE r.workspace_id = $1 AND r.dataset_id = $4`
  const { rows } = await reader.query<{ campaign_id: string }>(
    `WITH mine AS MATERIALIZED (${open} AND l.campaign_id = ANY ($2) UNION ${drafted})
     SELECT c.campaign_id FROM unnest($3::uuid[]) c (campaign_id) WHERE EXISTS (
       SELECT 1 FROM (${open} AND l.campaign_id = c.campaign_id) theirs JOIN mine ON ${isSame})`,
    [workspace_id, from.map((one) => one.campaign_id), others.map((one) => one.campaign_id), dataset_id],
  )
  return new Set(rows.map((row) => row.campaign_id))
}
