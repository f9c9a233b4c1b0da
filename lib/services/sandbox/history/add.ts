import type { PoolClient } from 'pg'
import type { SampleItem } from '#lib/contracts/sandbox/samples'
import { pool } from '#lib/db/client'
import type { CampaignModel } from '#lib/db/generated/models'
import { inTransaction } from '#lib/db/transaction'
import { uuidv7 } from '#lib/db/uuid'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'
import { forecast } from '#lib/domain/forecast/forecast'
import { runToEnd } from '#lib/domain/forecast/with-pauses'
import { inventPerson } from '#lib/domain/sandbox/history/people'
import { FRESH_PACE } from '#lib/domain/sending/pacing'
import type { Sender } from '#lib/domain/sending/sender-limits'
import type { Maker } from '#lib/domain/workspaces/maker'
import { forecastable } from '#lib/services/forecast/campaign'
import { launchedRules } from '#lib/services/forecast/input'
import { identifyRows } from '#lib/services/leads/people/identify'
import { PAST_CAMPAIGNS, pastCampaign } from '#lib/services/sandbox/history/campaigns'
import { type PlayedLead, playLeads } from '#lib/services/sandbox/history/played'
import { addReview, REVIEWED } from '#lib/services/sandbox/history/review'
import { actionRows, addHistoryRows, eventRows, leadRows } from '#lib/services/sandbox/history/rows'
import { addTalks } from '#lib/services/sandbox/history/talks'

const HOUR_MS = 3_600_000
const FIELDS = ['first_name', 'last_name', 'email', 'company', 'title', 'city', 'country'] as const

/** The mailbox that all messages were sent from, the texts, and the time zone of the plan. */
type From = { mailbox_id: string; address: string; timezone: string; template_ids: string[] }
type Past = (typeof PAST_CAMPAIGNS)[number]
type Kept = (item: SampleItem) => void

/**
 * Adds sample data to a workspace in one transaction: a completed campaign and a running one with replies, a campaign whose texts wait for
 * review, and a failing mailbox. The running campaign really continues, into the sandbox.
 */
export async function addHistory(owner: Maker, from: From, now: Date): Promise<SampleItem[]> {
  const made: SampleItem[] = []
  const keep: Kept = (item) => void made.push(item)
  await inTransaction(pool(), async (client) => {
    let first_person = 0
    for (const past of PAST_CAMPAIGNS) {
      await addPast(client, owner, { past, first_person, from, now, keep })
      first_person += past.people
    }
    await addReviewed(client, owner, { first_person, from, now, keep })
    keep({ kind: 'mailbox', item_id: await addFailing(client, owner.workspace_id, now) })
    await addHistoryRows(
      client,
      'sample_items',
      made.map((item) => ({ ...item, workspace_id: owner.workspace_id, created_at: now })),
    )
  })
  return made
}

/** Has its own dataset, since a person is in one campaign at a time. */
async function addReviewed(client: PoolClient, owner: Maker, { from, ...made }: Omit<Made, 'past'>) {
  const { first_person, now, keep } = made
  const { workspace_id } = owner
  const dataset_id = await addPeople(client, workspace_id, { past: REVIEWED, first_person, at: now })
  await identified(client, workspace_id, dataset_id)
  const { mailbox_id, timezone } = from
  keep({
    kind: 'campaign',
    item_id: await addReview(client, owner, { dataset_id, mailbox_id, timezone, first_person, now }),
  })
  keep({ kind: 'leads', item_id: dataset_id })
}

type Made = {
  past: Past
  first_person: number
  from: From
  now: Date
  keep: Kept
}

async function addPast(client: PoolClient, owner: Maker, { past, first_person, from, now, keep }: Made) {
  const { workspace_id } = owner
  const launched = new Date(now.getTime() - past.launched_before)
  const dataset_id = await addPeople(client, workspace_id, { past, first_person, at: launched })
  const { mailbox_id, address, timezone, template_ids } = from
  const fields = pastCampaign(past, { dataset_id, mailbox_id, template_ids, timezone })
  const campaign_id = uuidv7(launched)
  const { rows } = await client.query<CampaignModel>(
    'SELECT c.* FROM jsonb_populate_record(NULL::campaigns, $1) c',
    [{ ...fields, campaign_id, ...owner }],
  )
  const [row] = rows
  if (!row) throw new Error('Postgres answers a record with one row.')
  const campaign = forecastable(row, timezone)
  const plan = runToEnd(
    forecast({
      campaign: await launchedRules(campaign, launched),
      pace: FRESH_PACE,
      // The mailbox is treated as unused, because its real sends came later.
      senders: [freshSender(mailbox_id)],
      owner_timezone: timezone,
      follow_ups: [],
      new_leads: Array.from({ length: past.people }, (_, index) => index),
      starts_at: launched.getTime(),
    }),
  )
  const played = {
    campaign_id,
    timezone,
    first_person,
    launched_at: launched.getTime(),
    from_address: address,
  }
  const leads = playLeads({ ...played, steps_config: fields.steps_config }, plan, past.people, now.getTime())
  const where = { workspace_id, campaign_id, dataset_id, mailbox_id, address }

  await addHistoryRows(client, 'campaigns', [
    { ...fields, ...standing(owner, leads, launched, now), campaign_id },
  ])
  const people = await identified(client, workspace_id, dataset_id)
  await addHistoryRows(client, 'campaign_leads', leadRows(where, leads, people))
  await addHistoryRows(client, 'actions', actionRows(where, leads, template_ids))
  await addHistoryRows(client, 'campaign_events', eventRows(where, leads, launched.getTime()))
  await addHistoryRows(client, 'launch_forecasts', [
    {
      campaign_id,
      made_at: launched,
      finish_at: plan.finish_at === null ? null : new Date(plan.finish_at),
      total_actions: plan.total_actions,
      days: plan.days,
    },
  ])
  await addDays(client, where, leads, timezone)
  await addTalks(client, where, leads, now.getTime())
  await suppressEnded(client, workspace_id, leads, keep)
  keep({ kind: 'campaign', item_id: campaign_id })
  keep({ kind: 'leads', item_id: dataset_id })
}

const freshSender = (sender_id: string): Sender => ({
  sender_id,
  channel: 'email',
  daily_limit: null,
  min_interval_seconds: 0,
  ramp_up: null,
  ramp_up_started_at: null,
  action_limits: {},
  last_action_at: null,
  used: [],
})

/** The status of a sample campaign. Lead counters are maintained by the inserts; the sent counter must be set. */
function standing(owner: Maker, leads: PlayedLead[], launched: Date, now: Date) {
  const mails = leads.flatMap(({ lead_index, mails }) =>
    mails.map(({ at, step }) => ({ lead_index, at, step })),
  )
  const last = mails.toSorted((a, b) => a.at - b.at).at(-1)
  const isDone = leads.every(({ is_over }) => is_over)
  return {
    workspace_id: owner.workspace_id,
    user_id: owner.user_id,
    status: isDone ? 'completed' : 'active',
    launch_requested_at: launched,
    launched_at: launched,
    created_at: launched,
    updated_at: now,
    completed_at: isDone && last ? new Date(last.at) : null,
    next_slot_at: isDone ? null : now,
    last_action_at: last ? new Date(last.at) : null,
    last_action_lead_index: last?.lead_index ?? null,
    last_action_step: last?.step ?? null,
    sent_count: mails.length,
    total_leads: 0,
    processed_leads: 0,
    replied_count: 0,
    bounced_count: 0,
    uncertain_count: 0,
    complained_count: 0,
    version: 1,
    sender_rotation: 'senders',
    member_shares: {},
    match_providers: false,
  }
}

/** Adds a dataset of invented people, as if imported from a file. */
async function addPeople(
  client: PoolClient,
  workspace_id: string,
  { past, first_person, at }: { past: Pick<Past, 'name' | 'people'>; first_person: number; at: Date },
): Promise<string> {
  const dataset_id = uuidv7(at)
  const row_count = past.people
  const columns = FIELDS.map((key) => ({
    name: key.replace('_', ' ').replace(/^./, (first) => first.toUpperCase()),
    key,
  }))
  await addHistoryRows(client, 'datasets', [
    {
      dataset_id,
      workspace_id,
      dataset_name: past.name.replace('campaign', 'list'),
      source_type: 'csv',
      row_count,
      next_lead_index: row_count,
      reject_count: 0,
      columns,
      version: 1,
      created_at: at,
      updated_at: at,
    },
  ])
  await addHistoryRows(client, 'dataset_sessions', [
    {
      session_id: uuidv7(at),
      dataset_id,
      workspace_id,
      status: 'completed',
      work: 'import',
      filename: 'invented-people.csv',
      options: {},
      summary: {},
      next_index: row_count,
      leads_count: row_count,
      processed_count: row_count,
      failed_count: 0,
      session_created_at: at,
      session_updated_at: at,
      completed_at: at,
    },
  ])
  const people = Array.from({ length: row_count }, (_, index) => inventPerson(first_person + index))
  await addHistoryRows(
    client,
    'dataset_rows',
    people.map((data, lead_index) => ({
      dataset_id,
      lead_index,
      workspace_id,
      email: data.email,
      data,
      version: 1,
    })),
  )
  return dataset_id
}

/** The people that the rows name, by address. */
async function identified(client: PoolClient, workspace_id: string, dataset_id: string) {
  await identifyRows(client, { workspace_id, dataset_id, which: 'true', values: [] }, null)
  const { rows } = await client.query<{ email: string; person_id: string }>(
    `SELECT p.email, coalesce(p.merged_into_id, p.person_id) AS person_id FROM people p
     JOIN dataset_rows r ON r.email = p.email AND r.dataset_id = $2 WHERE p.workspace_id = $1`,
    [workspace_id, dataset_id],
  )
  return new Map(rows.map(({ email, person_id }) => [email, person_id]))
}

/** Adds the counts towards the limits of the campaign and its mailbox, by day. */
async function addDays(
  client: PoolClient,
  { campaign_id, mailbox_id }: { campaign_id: string; mailbox_id: string },
  leads: PlayedLead[],
  timezone: string,
) {
  const zone = loadZone(timezone)
  const days = Object.entries(
    Object.groupBy(
      leads.flatMap(({ mails }) => mails),
      ({ at }) => formatDay(toDay(zone, at)),
    ),
  ).map(([day, mails]) => ({ day, used: mails?.length ?? 0 }))
  await addHistoryRows(
    client,
    'campaign_days',
    days.map(({ day, used }) => ({ campaign_id, window_day: day, used })),
  )
  await client.query(
    `INSERT INTO sender_days AS d (sender_id, local_date, action_type, used)
     SELECT $1, * FROM unnest($2::date[], $3::text[], $4::int[])
     ON CONFLICT (sender_id, local_date, action_type) DO UPDATE SET used = d.used + excluded.used`,
    [mailbox_id, days.map(({ day }) => day), days.map(() => 'email'), days.map(({ used }) => used)],
  )
}

/** Suppresses the people who bounced or unsubscribed, as in a real campaign. */
async function suppressEnded(client: PoolClient, workspace_id: string, leads: PlayedLead[], keep: Kept) {
  const entries = leads.flatMap(({ person, came }) => {
    const ended = came?.fate.ended
    if (!came || (ended !== 'bounced' && ended !== 'unsubscribed')) return []
    const at = new Date(came.at)
    const reason = ended === 'bounced' ? 'hard_bounce' : 'unsubscribe'
    return { suppression_id: uuidv7(at), workspace_id, value: person.email, reason, created_at: at }
  })
  await addHistoryRows(client, 'suppressions', entries)
  for (const { suppression_id } of entries) keep({ kind: 'suppression', item_id: suppression_id })
}

/** A mailbox whose server does not exist, to show how problems are displayed. */
async function addFailing(client: PoolClient, workspace_id: string, now: Date): Promise<string> {
  const mailbox_id = uuidv7(now)
  await addHistoryRows(client, 'mailboxes', [
    {
      mailbox_id,
      workspace_id,
      address: 'robin@nordlicht.example',
      name: 'Sample: Robin Berg',
      status: 'failing',
      smtp: { host: 'smtp.nordlicht.example', port: 587, security: 'starttls', username: null },
      imap: null,
      daily_limit: 30,
      min_interval_seconds: 60,
      ramp_up: null,
      ramp_up_started_at: now,
      last_error: 'The server smtp.nordlicht.example was not found. (Sample data: it does not exist.)',
      failing_cause: 'unreachable',
      failing_since: new Date(now.getTime() - 3 * HOUR_MS),
      failing_tries: 4,
      next_try_at: new Date(now.getTime() + 12 * HOUR_MS),
      last_checked_at: new Date(now.getTime() - HOUR_MS),
      version: 1,
      created_at: now,
      updated_at: now,
    },
  ])
  return mailbox_id
}
