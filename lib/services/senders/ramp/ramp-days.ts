import type { PoolClient } from 'pg'
import { Mailbox } from '#lib/contracts/senders/mailbox'
import { pool, type Reader } from '#lib/db/client'
import { jsonText } from '#lib/db/json-text'
import { prepared } from '#lib/db/prepared'
import { formatDay, loadZone, parseDay, startOfDay, toDay } from '#lib/domain/calendar/zoned-time'
import {
  decideRamp,
  EVIDENCE_DAYS,
  NO_EVIDENCE,
  type RampDay,
  type RampEvidence,
  rampFrom,
  rampInWords,
  rampReason,
} from '#lib/domain/sending/ramp-health'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { logged, writeLog } from '#lib/services/campaigns/decision-log'
import { countSql, HAPPENED_TO_MAILS } from '#lib/services/campaigns/providers/provider-health'
import { tell } from '#lib/services/telling/tell'

type RampUp = { start: number; increase_per_day: number; by_health?: boolean }
/** The columns of a mailbox's row. */
type Ramping = {
  mailbox_id: string
  address: string
  daily_limit: number
  ramp_up: RampUp | null
  ramp_up_started_at: Date
}
type Owner = { workspace_id: string; owner_timezone: string }

/** A mailbox's decision for a day; `is_new`: not stored yet. */
type Known = RampDay & { is_new: boolean }

const Evidence = Mailbox.shape.limits.shape.ramp_health.unwrap().shape.evidence

/**
 * What mailboxes that ramp up by health may send today. It depends only on events before the day began, so every caller on that day gets
 * the same answer, and the first claim of the day stores it.
 */
export async function loadRampDays(
  reader: Reader,
  { workspace_id, owner_timezone }: Owner,
  mailboxes: Ramping[],
  now: Date,
): Promise<Map<string, Known>> {
  const zone = loadZone(owner_timezone)
  const today = toDay(zone, now.getTime())
  const asked = mailboxes.flatMap((row) => {
    const { ramp_up, ramp_up_started_at } = row
    if (!ramp_up?.by_health) return []
    return [{ ...row, ramp: { ...ramp_up, day: toDay(zone, ramp_up_started_at.getTime()) } }]
  })
  const kept = await lastKept(reader, workspace_id, asked)
  const known = asked.map(({ mailbox_id, ramp, daily_limit }) => {
    const last = kept.get(mailbox_id)
    // A ramp that was restarted is judged anew.
    return { mailbox_id, ramp, ceiling: daily_limit, last: last && last.day >= ramp.day ? last : null }
  })
  const open = known.filter(({ last }) => !last || last.day < today)
  const since = open.map(({ mailbox_id, last, ramp }) => {
    const day = Math.max(last?.judged_from ?? ramp.day, today - EVIDENCE_DAYS)
    return { mailbox_id, since: new Date(startOfDay(zone, day)) }
  })
  const evidence = await readEvidence(reader, workspace_id, since, new Date(startOfDay(zone, today)))
  return new Map(
    known.map(({ mailbox_id, ramp, ceiling, last }) => {
      const decided = decideRamp({ ramp, ceiling }, last, evidence.get(mailbox_id) ?? NO_EVIDENCE, today)
      return [mailbox_id, { ...decided, is_new: decided.day !== last?.day }]
    }),
  )
}

type KeptRow = Pick<RampDay, 'allowed' | 'verdict' | 'cause'> & {
  mailbox_id: string
  local_date: string
  rises_after: string
  judged_from: string
  evidence: unknown
}

const date = (column: string) => `to_char(${column}, 'YYYY-MM-DD') AS ${column}`
const KEPT = `r.mailbox_id, r.allowed, r.verdict, r.cause, r.evidence, ${['local_date', 'rises_after', 'judged_from'].map(date).join(', ')}`

const toRampDay = ({ mailbox_id: _, local_date, evidence, ...row }: KeptRow): RampDay => ({
  ...row,
  day: parseDay(local_date),
  rises_after: parseDay(row.rises_after),
  judged_from: parseDay(row.judged_from),
  evidence: Evidence.parse(evidence),
})

/** The latest stored decision for each mailbox. */
async function lastKept(reader: Reader, workspaceId: string, mailboxes: { mailbox_id: string }[]) {
  if (mailboxes.length === 0) return new Map<string, RampDay>()
  const { rows } = await reader.query<KeptRow>(
    prepared(
      `SELECT DISTINCT ON (r.mailbox_id) ${KEPT} FROM ramp_days r WHERE r.workspace_id = $1 AND r.mailbox_id = ANY ($2)
       ORDER BY r.mailbox_id, r.local_date DESC`,
      [workspaceId, mailboxes.map(({ mailbox_id }) => mailbox_id)],
    ),
  )
  return new Map(rows.map((row) => [row.mailbox_id, toRampDay(row)]))
}

/** The stored decisions for a mailbox since its ramp began, the oldest first. */
export async function keptRampDays(
  workspaceId: string,
  mailboxId: string,
  since: number,
): Promise<RampDay[]> {
  const { rows } = await pool().query<KeptRow>(
    `SELECT ${KEPT} FROM ramp_days r WHERE r.workspace_id = $1 AND r.mailbox_id = $2 AND r.local_date >= $3
     ORDER BY r.local_date`,
    [workspaceId, mailboxId, formatDay(since)],
  )
  return rows.map(toRampDay)
}

/** $1 is the workspace, $2 the mailboxes, $3 the earliest start, $4 the start for each mailbox, $5 the end. */
const EVIDENCE = `
  SELECT asked.mailbox_id, ${countSql('sent', ['refused'])}, ${countSql('bounced', ['refused'])}, ${countSql('deferred')},
    ${countSql('complained')},
    count(DISTINCT date_trunc('hour', h.at)) FILTER (WHERE h.what = 'outage')::int AS outage_hours, t.tested, t.spam
  FROM unnest($2::uuid[], $4::timestamptz[]) asked (mailbox_id, since)
    LEFT JOIN (${HAPPENED_TO_MAILS}
      UNION ALL
      SELECT a.mailbox_id, NULL, e.at, 'outage' FROM campaigns c
        JOIN campaign_events e ON e.campaign_id = c.campaign_id AND e.at >= $3 AND e.kind = 'retry'
        JOIN actions a ON a.campaign_lead_id = e.campaign_lead_id AND a.step = e.step
      WHERE c.workspace_id = $1 AND a.mailbox_id = ANY ($2) AND e.detail ->> 'outcome' = 'never_left') h
      ON h.mailbox_id = asked.mailbox_id AND h.at >= asked.since AND h.at < $5
    CROSS JOIN LATERAL (SELECT count(*)::int AS tested, count(*) FILTER (WHERE last.placement = 'spam')::int AS spam
      FROM (SELECT p.placement, p.sent_at, max(p.sent_at) OVER () AS newest FROM placement_tests p
        WHERE p.workspace_id = $1 AND p.mailbox_id = asked.mailbox_id
          AND p.arrived_at >= asked.since AND p.arrived_at < $5) last
      WHERE last.sent_at > last.newest - interval '1 hour') t
  GROUP BY asked.mailbox_id, t.tested, t.spam`

async function readEvidence(
  reader: Reader,
  workspaceId: string,
  asked: { mailbox_id: string; since: Date }[],
  until: Date,
): Promise<Map<string, RampEvidence>> {
  if (asked.length === 0) return new Map()
  const { rows } = await reader.query<RampEvidence & { mailbox_id: string }>(EVIDENCE, [
    workspaceId,
    asked.map(({ mailbox_id }) => mailbox_id),
    new Date(Math.min(...asked.map(({ since }) => since.getTime()))),
    asked.map(({ since }) => since),
    until,
  ])
  return new Map(rows.map(({ mailbox_id, ...evidence }) => [mailbox_id, evidence]))
}

/** Stores today's decisions, under the locks of a claim, and logs where a mailbox's limit does not rise. */
export async function keepRampDays(
  client: PoolClient,
  owner: Owner,
  mailboxes: Ramping[],
  now: Date,
): Promise<void> {
  const decided = [...(await loadRampDays(client, owner, mailboxes, now))].filter(([, day]) => day.is_new)
  if (decided.length === 0) return
  const column = <T>(pick: (day: RampDay) => T) => decided.map(([, day]) => pick(day))
  await client.query(
    `INSERT INTO ramp_days (workspace_id, mailbox_id, local_date, allowed, verdict, cause, rises_after, judged_from, evidence)
     SELECT $1, * FROM unnest($2::uuid[], $3::date[], $4::int[], $5::text[], $6::text[], $7::date[], $8::date[], $9::jsonb[])
     ON CONFLICT DO NOTHING`,
    [
      owner.workspace_id,
      decided.map(([mailbox_id]) => mailbox_id),
      column(({ day }) => formatDay(day)),
      column(({ allowed }) => allowed),
      column(({ verdict }) => verdict),
      column(({ cause }) => cause),
      column(({ rises_after }) => formatDay(rises_after)),
      column(({ judged_from }) => formatDay(judged_from)),
      column(({ evidence }) => jsonText(evidence)),
    ],
  )
  const addresses = new Map(mailboxes.map(({ mailbox_id, address }) => [mailbox_id, address]))
  for (const [mailbox_id, day] of decided) {
    const address = addresses.get(mailbox_id) ?? ''
    const reason = rampInWords(address, day)
    if (!reason) continue
    if (day.verdict === 'fall') {
      const data = { address, reason: rampReason(day) }
      await tell(client, [], [{ workspace_id: owner.workspace_id, kind: 'ramp_lowered', mailbox_id, data }])
    }
    // Logged for all campaigns that send from it, whichever claims first.
    const { rows } = await client.query<{ campaign_id: string }>(
      `SELECT campaign_id FROM campaigns WHERE workspace_id = $1 AND status IN ('active', 'draining')
         AND (alias_ids IS NULL OR alias_ids @> to_jsonb($2::text)) ORDER BY campaign_id`,
      [owner.workspace_id, mailbox_id],
    )
    const detail = { mailbox_id, verdict: day.verdict, cause: day.cause, allowed: day.allowed }
    const of = ({ campaign_id }: { campaign_id: string }) => ({
      campaign_id,
      workspace_id: owner.workspace_id,
    })
    await writeLog(
      client,
      rows.map((row) => logged(of(row), 'ramp_held', now, { reason, detail })),
    )
  }
}

/** The ramp that applies to a mailbox: by the calendar, or from the decisions by its health. */
export function rampOfMailbox(
  { address, ramp_up, ramp_up_started_at }: Ramping,
  decided: RampDay | undefined,
  timezone: string,
): Pick<Sender, 'ramp_up' | 'ramp_up_started_at' | 'held_back'> {
  if (!ramp_up || !decided) return { ramp_up, ramp_up_started_at: ramp_up_started_at.getTime() }
  const { day, ...ramp } = rampFrom(ramp_up, decided)
  return {
    ramp_up: ramp,
    ramp_up_started_at: startOfDay(loadZone(timezone), day),
    held_back: rampInWords(address, decided),
  }
}
