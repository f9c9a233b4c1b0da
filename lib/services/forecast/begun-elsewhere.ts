import type { Reader } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import type { ContactRules } from '#lib/domain/sending/contact-hold'
import { begunLeadsSql, IS_TAKEN, mayHaveBegun } from '#lib/services/leads/begun'

type Asked = {
  /** The campaign whose leads wait; its own leads are left out. */
  campaign: { workspace_id: string; campaign_id: string }
  after: Date
  policy: Pick<ContactRules, 'one_campaign_at_a_time' | 'rest_days'>
}

/** SQL that selects (lead_index, person_id): $1 is the workspace, $2 the id in `of`. */
export type People = { sql: string; of: string }

/** People who have begun another campaign and are at the same step of it. */
export type BegunElsewhere = {
  campaign_id: string
  /** More steps are to come, so no other campaign may start with them. */
  is_busy: boolean
  /** The people's keys, concatenated. */
  keys: Buffer
  /**
   * In the order of `keys`: the earliest instant at which the campaign may be done with that person, in
   * milliseconds.
   */
  untils: Float64Array
}

/**
 * Which of these people other campaigns have begun with, looked up person by person. Keys are lead_index,
 * four bytes each.
 */
export const readBegunPeople = (reader: Reader, asked: Asked, people: People) =>
  readBegun(
    reader,
    asked,
    'int4send(lead_index)',
    `SELECT asked.lead_index, l.campaign_id, l.status, l.next_step, l.next_action_at, l.last_action_at
     FROM (${people.sql}) asked CROSS JOIN ${begunLeadsSql('asked.person_id')} WHERE l.campaign_id <> $4`,
    [people.of, asked.policy.one_campaign_at_a_time, asked.campaign.campaign_id],
  )

/**
 * Everybody in the workspace with whom other campaigns have begun. If they are about as many as the people
 * asked about, this costs a tenth of looking up each person. Keys are person_id, sixteen bytes each.
 */
export const readAllBegun = (reader: Reader, asked: Asked) =>
  readBegun(reader, asked, 'uuid_send(person_id)', OF_ALL, [
    asked.campaign.campaign_id,
    asked.policy.one_campaign_at_a_time,
    new Date(asked.after.getTime() - (asked.policy.rest_days + 1) * DAY_MS),
  ])

/** SQL: a step was performed for lead `l` and another is to come, as far as the lead's own row shows. */
const IS_UNDER_WAY = `l.status = 'active' AND (l.current_step > 0 OR l.next_action_at IS NULL AND l.last_event IS DISTINCT FROM 'held')`

/**
 * The time of the last step does not matter while another is to come, so the ledger is read only for the
 * other leads.
 */
const OF_ALL = `SELECT l.person_id, l.campaign_id, l.status, l.next_step, l.next_action_at,
    CASE WHEN $3 AND ${IS_UNDER_WAY} THEN '-infinity'
      ELSE (SELECT max(a.performed_at) FROM actions a WHERE a.campaign_lead_id = l.campaign_lead_id AND ${IS_TAKEN}) END AS last_action_at
  FROM campaign_leads l
  WHERE l.workspace_id = $1 AND l.campaign_id <> $2 AND l.person_id IS NOT NULL AND ${mayHaveBegun('l')}
    AND (l.status = 'active' OR l.last_event_at >= $4) OFFSET 0`

/** SQL: the sum of the delays that remain in each sequence after each of its steps, in milliseconds. */
const LEFT_OVER = `SELECT c.campaign_id, s.place AS step, ${DAY_MS} * sum((s.step ->> 'delay_days')::int)
    OVER (PARTITION BY c.campaign_id ORDER BY s.place DESC ROWS UNBOUNDED PRECEDING EXCLUDE CURRENT ROW) AS delays
  FROM campaigns c CROSS JOIN jsonb_array_elements(c.steps_config) WITH ORDINALITY s (step, place)
  WHERE c.workspace_id = $1 AND c.launched_at IS NOT NULL`

/** Leads at one step of a campaign, packed, because ten thousand rows would be ten thousand objects. */
type Packed = {
  campaign_id: string
  is_busy: boolean
  /** The sum of the delays that remain in the sequence after that step, in milliseconds. */
  delays: number
  keys: Buffer
  /**
   * `timestamptz_send` values: when the next step is due or being performed; for leads without a next step,
   * when the last one was performed.
   */
  step_at: Buffer
}

async function readBegun(
  reader: Reader,
  { campaign, after, policy }: Asked,
  key: string,
  leads: string,
  /** Parameters from $2 on; $3 is `one_campaign_at_a_time`. */
  values: unknown[],
): Promise<BegunElsewhere[]> {
  const { rows } = await reader.query<Packed>(
    `SELECT l.*, coalesce(left_over.delays, 0)::float8 AS delays FROM (
       SELECT campaign_id, next_step, $3::boolean AND status = 'active' AS is_busy, string_agg(${key}, '') AS keys,
         string_agg(timestamptz_send(CASE WHEN $3 AND status = 'active' THEN greatest(next_action_at, last_action_at)
           ELSE last_action_at END), '') AS step_at
       FROM (${leads}) l WHERE last_action_at IS NOT NULL GROUP BY 1, 2, 3) l
       LEFT JOIN (${LEFT_OVER}) left_over ON left_over.campaign_id = l.campaign_id AND left_over.step = l.next_step`,
    [campaign.workspace_id, ...values],
  )
  return rows.map(({ campaign_id, is_busy, delays, keys, step_at }) => {
    const untils = new Float64Array(step_at.length / TIMESTAMP_BYTES)
    for (let at = 0; at < untils.length; at++) {
      const step = toMs(step_at, at * TIMESTAMP_BYTES)
      untils[at] = (is_busy ? Math.max(step, after.getTime()) + delays : step) + policy.rest_days * DAY_MS
    }
    return { campaign_id, is_busy, keys, untils }
  })
}

const TIMESTAMP_BYTES = 8
const EPOCH_OF_POSTGRES = Date.UTC(2000, 0, 1)

/** Reads a timestamp packed by Postgres' `timestamptz_send`: microseconds since 2000. */
const toMs = (packed: Buffer, offset: number) =>
  Math.round((packed.readInt32BE(offset) * 2 ** 32 + packed.readUInt32BE(offset + 4)) / 1000) +
  EPOCH_OF_POSTGRES
