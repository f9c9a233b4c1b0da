import type pg from 'pg'
import { type Ledger, listedSince } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { WRONG_ACTION_COUNTS } from '#tests/support/statements/action-counts'
import { WRONG_CONTACT_COUNTS } from '#tests/support/statements/contact-counts'
import { WRONG_LEAD_COUNTS, WRONG_LEAD_ENDINGS } from '#tests/support/statements/lead-counts'

const COUNTS = `
  SELECT c.campaign_id, c.status, c.next_slot_at,
    coalesce(c.total_leads, 0) AS total_leads, count(l)::int AS real_total,
    c.processed_leads, count(l) FILTER (WHERE l.status NOT IN ('pending', 'active'))::int AS real_processed,
    c.replied_count, count(l) FILTER (WHERE l.status = 'replied')::int AS real_replied,
    c.bounced_count, count(l) FILTER (WHERE l.status = 'bounced')::int AS real_bounced,
    c.sent_count, (SELECT count(*)::int FROM actions a WHERE a.campaign_id = c.campaign_id AND a.status = 'sent') AS real_sent,
    c.uncertain_count,
    (SELECT count(*)::int FROM actions a WHERE a.campaign_id = c.campaign_id AND a.status = 'uncertain') AS real_uncertain,
    (SELECT coalesce(jsonb_object_agg(window_day, used), '{}') FROM campaign_days d
      WHERE d.campaign_id = c.campaign_id AND used <> 0) AS days
  FROM campaigns c LEFT JOIN campaign_leads l USING (campaign_id) GROUP BY c.campaign_id`

/** A lead's time zone is the one of its row, else its campaign's; none where the campaign's schedule does not follow its leads. */
const WRONG_CLOCKS = `
  SELECT l.email, l.timezone FROM campaigns c JOIN campaign_leads l USING (campaign_id)
    JOIN dataset_rows r ON r.dataset_id = l.dataset_id AND r.lead_index = l.lead_index
  WHERE l.timezone IS DISTINCT FROM
    CASE c.schedule_timezone WHEN 'lead' THEN coalesce(nullif(r.data ->> 'timezone', ''), c.timezone) END LIMIT 1`

type Counts = Record<string, number | string | Date | null> & {
  campaign_id: string
  days: Record<string, number>
}

/** I7 between two wake-ups, when no transaction is open: every stored count equals a fresh count. */
export async function recount(control: pg.Client, ledger: Ledger): Promise<void> {
  const { rows } = await control.query<Counts>(COUNTS)
  for (const row of rows) {
    for (const name of ['total', 'processed', 'replied', 'bounced', 'sent', 'uncertain']) {
      const kept = row[`${name}_leads`] ?? row[`${name}_count`]
      if (kept !== row[`real_${name}`])
        throw new Violation(
          'I7',
          `${name} is kept as ${kept}, counted ${row[`real_${name}`]} (${row.campaign_id})`,
        )
    }
    const mine = ledger.claims.filter((claim) => claim.campaign_id === row.campaign_id && claim.counts)
    if (!ledger.moved.has(row.campaign_id))
      compare(row.days, tally(mine.map((claim) => claim.window_day)), `window days of ${row.campaign_id}`)
  }
  const astray = await control.query<{ email: string; timezone: string | null }>(WRONG_CLOCKS)
  if (astray.rows[0])
    throw new Violation(
      'I2',
      `${astray.rows[0].email} lives by ${astray.rows[0].timezone}, and its row says another`,
    )
  for (const statement of [
    WRONG_ACTION_COUNTS,
    WRONG_CONTACT_COUNTS,
    WRONG_LEAD_COUNTS,
    WRONG_LEAD_ENDINGS,
  ]) {
    const wrong = await control.query(statement)
    if (wrong.rows[0])
      throw new Violation(
        'I7',
        `analytics keep what the ledger does not say: ${JSON.stringify(wrong.rows[0])}`,
      )
  }
  const senders = await control.query<{ sender_id: string; days: Record<string, number> }>(
    `SELECT sender_id, jsonb_object_agg(local_date || ' ' || action_type, used) AS days FROM sender_days
     WHERE used <> 0 GROUP BY sender_id`,
  )
  const kept = new Map(senders.rows.map((row) => [row.sender_id, row.days]))
  const named = [
    ...[...ledger.mailboxes.values()]
      .filter(({ workspace_id }) => !ledger.erased.has(workspace_id))
      .map(({ mailbox_id, address, workspace_id }) => [mailbox_id, address, workspace_id] as const),
    // The usage of a deleted account was deleted with it.
    ...[...ledger.accounts.values()]
      .filter(({ status }) => status !== 'deleted')
      .map(({ account_id, name, workspace_id }) => [account_id, name, workspace_id] as const),
  ]
  for (const [sender_id, name, workspace_id] of named) {
    const since = ledger.zones.get(workspace_id)?.since ?? ''
    const mine = ledger.claims.filter((claim) => claim.sender_id === sender_id && claim.counts)
    const counted = tally(mine.map((claim) => `${claim.date} ${claim.action_type}`))
    compare(after(kept.get(sender_id) ?? {}, since), after(counted, since), `dates of ${name}`)
  }
}

function tally(days: string[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const day of days) counts[day] = (counts[day] ?? 0) + 1
  return counts
}

const after = (counts: Record<string, number>, since: string) =>
  Object.fromEntries(Object.entries(counts).filter(([day]) => day >= since))

function compare(kept: Record<string, number>, counted: Record<string, number>, what: string) {
  for (const day of new Set([...Object.keys(kept), ...Object.keys(counted)]))
    if ((kept[day] ?? 0) !== (counted[day] ?? 0))
      throw new Violation('I3', `${what}: kept as ${kept[day] ?? 0} on ${day}, counted ${counted[day] ?? 0}`)
}

/** I7 at the end: every lead is over, nothing is in flight, and hard bounces are on the owner's suppression list. */
export function judgeEnd(ledger: Ledger): void {
  const isHere = (row: { workspace_id: string }) => !ledger.erased.has(row.workspace_id)
  for (const lead of [...ledger.leads.values()].filter(isHere))
    if (lead.status === 'pending' || lead.status === 'active')
      throw new Violation('I7', `${lead.email} is still ${lead.status}, waiting for step ${lead.next_step}`)
  for (const campaign of [...ledger.campaigns.values()].filter(isHere))
    if (campaign.status !== 'completed') throw new Violation('I7', `a campaign ended ${campaign.status}`)
  for (const action of [...ledger.actions.values()].filter(isHere)) {
    const lead = ledger.leads.get(action.campaign_lead_id)
    if (action.status === 'sending')
      throw new Violation('I7', `${lead?.email}/${action.step} is still sending`)
    if (action.status === 'retry' && lead?.status === 'completed')
      throw new Violation('I7', `${lead.email}/${action.step} waits for a retry that nobody makes`)
    if (lead?.status === 'bounced' && listedSince(ledger, lead.workspace_id, lead.email).length === 0)
      throw new Violation('I5', `${lead.email} bounced and is not suppressed`)
  }
}
