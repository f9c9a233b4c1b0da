import { prepared } from '#lib/db/prepared'
import { type Statements, sqlList } from '#lib/db/statements'
import { type LedgerTarget, type LedgerVerb, ledgerFrom } from '#lib/domain/leads/ledger-moves'
import { tell } from '#lib/services/telling/tell'

/*
 * The only module that changes the status of actions. The allowed moves are in the domain's table;
 * `lead.sent` is emitted when an action becomes sent.
 */

const guard = (verb: LedgerVerb, row = 'a') => `${row}.status IN (${sqlList(ledgerFrom(verb))})`

export type OfferedAction = {
  action_id: string
  campaign_lead_id: string
  step: number
  channel: string | undefined
  action_type: string | undefined
  variant_label: string | null
  template_id: string | null
  mailbox_id: string | null
  account_id: string | null
  performed_at: Date
  message_id: string | null
  from_address: string | null
  subject: string | null
  body: string | null
}

type Owned = { campaign_id: string; workspace_id: string }
type Lease = { worker: string; lease_until: Date }

const OFFER = `INSERT INTO actions AS a (action_id, campaign_lead_id, campaign_id, workspace_id, step, channel, action_type,
    variant_label, template_id, mailbox_id, status, performed_at, attempts, lease_until, lease_owner,
    message_id, subject, body, connected_account_id, from_address)
  SELECT n.action_id, n.campaign_lead_id, $1, $2, n.step, n.channel, n.action_type, n.variant_label, n.template_id,
    n.mailbox_id, 'sending', n.performed_at, 1, $3, $4, n.message_id, n.subject, n.body, n.account_id, n.from_address
  FROM unnest($5::uuid[], $6::uuid[], $7::int[], $8::text[], $9::text[], $10::text[], $11::uuid[], $12::uuid[],
    $13::timestamptz[], $14::text[], $15::text[], $16::text[], $17::uuid[], $18::text[])
    n (action_id, campaign_lead_id, step, channel, action_type, variant_label, template_id, mailbox_id,
      performed_at, message_id, subject, body, account_id, from_address)
  ON CONFLICT (action_id) DO UPDATE SET
    status = 'sending', attempts = a.attempts + 1, lease_until = excluded.lease_until,
    lease_owner = excluded.lease_owner, performed_at = excluded.performed_at, mailbox_id = excluded.mailbox_id,
    connected_account_id = excluded.connected_account_id,
    -- Its domain is the sender's, which an edit may have changed.
    message_id = excluded.message_id, subject = excluded.subject, body = excluded.body,
    from_address = excluded.from_address
  WHERE ${guard('offer')}`

/**
 * A new action is a single insert, so the unique key on (lead, step) refuses a second one; a retried action
 * takes its row back.
 */
export async function offerActions(
  client: Statements,
  { campaign_id, workspace_id }: Owned,
  actions: OfferedAction[],
  { worker, lease_until }: Lease,
): Promise<void> {
  await client.query(
    prepared(OFFER, [
      campaign_id,
      workspace_id,
      lease_until,
      worker,
      actions.map((action) => action.action_id),
      actions.map((action) => action.campaign_lead_id),
      actions.map((action) => action.step),
      actions.map((action) => action.channel),
      actions.map((action) => action.action_type),
      actions.map((action) => action.variant_label),
      actions.map((action) => action.template_id),
      actions.map((action) => action.mailbox_id),
      actions.map((action) => action.performed_at),
      actions.map((action) => action.message_id),
      actions.map((action) => action.subject),
      actions.map((action) => action.body),
      actions.map((action) => action.account_id),
      actions.map((action) => action.from_address),
    ]),
  )
}

type Passed = {
  campaign_lead_id: string
  step: number
  channel: string | undefined
  action_type: string | undefined
  at: Date
  /** Null if its condition did not hold. */
  reason: string | null
}

/**
 * Records steps as skipped so that no later claim performs them. A temporarily refused action gives up its
 * row. Returns the number of rows written.
 */
export async function passOver(
  client: Statements,
  { campaign_id, workspace_id }: Owned,
  steps: Passed[],
): Promise<number> {
  const { rows } = await client.query(
    `INSERT INTO actions AS a (campaign_lead_id, campaign_id, workspace_id, step, channel, action_type, status, performed_at,
       attempts, recorded_at, response)
     SELECT s.campaign_lead_id, $1, $2, s.step, s.channel, s.action_type, 'skipped', s.at, 0, s.at, s.reason
     FROM unnest($3::uuid[], $4::int[], $5::text[], $6::text[], $7::timestamptz[], $8::text[])
       s (campaign_lead_id, step, channel, action_type, at, reason)
     ON CONFLICT (campaign_lead_id, step) DO UPDATE SET status = 'skipped', outcome = NULL,
       performed_at = excluded.performed_at, recorded_at = excluded.recorded_at, response = excluded.response
     WHERE ${guard('pass_over')} RETURNING 1`,
    [
      campaign_id,
      workspace_id,
      steps.map((step) => step.campaign_lead_id),
      steps.map((step) => step.step),
      steps.map((step) => step.channel),
      steps.map((step) => step.action_type),
      steps.map((step) => step.at),
      steps.map((step) => step.reason),
    ],
  )
  return rows.length
}

export type Reported = {
  action_id: string
  status: LedgerTarget<'report'>
  outcome: string
  response: string
  server_message_id: string | null
  is_no_try: boolean
  /** Whether a webhook of the workspace subscribes to `lead.sent`. */
  is_asked_for: boolean
}

const REPORT = `UPDATE actions a SET status = w.status::"ActionStatus", outcome = w.outcome, response = w.response,
    server_message_id = coalesce(w.server_message_id, a.server_message_id), recorded_at = $1, lease_until = NULL,
    attempts = a.attempts - w.is_no_try::int
  FROM unnest($2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[], $7::boolean[])
    w (action_id, status, outcome, response, server_message_id, is_no_try)
  WHERE a.action_id = w.action_id AND ${guard('report')}`

/** Writes the outcomes of offers. The actions must be locked and the caller entitled to report. */
export async function reportActions(client: Statements, reports: Reported[], now: Date): Promise<void> {
  await client.query(
    prepared(REPORT, [
      now,
      reports.map((report) => report.action_id),
      reports.map((report) => report.status),
      reports.map((report) => report.outcome),
      reports.map((report) => report.response.slice(0, 2_000)),
      reports.map((report) => report.server_message_id),
      reports.map((report) => report.is_no_try),
    ]),
  )
  const sent = reports.filter((report) => report.status === 'sent' && report.is_asked_for)
  await tellOfSent(
    client,
    sent.map((report) => report.action_id),
    now,
  )
}

/** Which of these actions are uncertain. */
export async function doubtedAmong(client: Statements, actionIds: string[]): Promise<Set<string>> {
  if (actionIds.length === 0) return new Set()
  const { rows } = await client.query<{ action_id: string }>(
    prepared(`SELECT a.action_id FROM actions a WHERE a.action_id = ANY ($1::uuid[]) AND ${guard('prove')}`, [
      actionIds,
    ]),
  )
  return new Set(rows.map(({ action_id }) => action_id))
}

/**
 * An incoming mail proves that an uncertain message was sent. Runs only if the action is uncertain, because
 * even an update of no rows fires its triggers. The campaign is locked, so that the send is not taken back at
 * the same time.
 */
export async function proveSent(client: Statements, actionId: string, why: string, now: Date) {
  const { rows } = await client.query(
    prepared(
      `UPDATE actions a SET status = 'sent', outcome = 'accepted', response = $2, recorded_at = $3, lease_until = NULL
       FROM (SELECT action_id, status FROM actions WHERE action_id = $1 FOR NO KEY UPDATE) locked
       WHERE a.action_id = locked.action_id AND ${guard('prove', 'locked')} RETURNING 1`,
      [actionId, why, now],
    ),
  )
  if (rows.length > 0) await tellOfSent(client, [actionId], now)
  return rows.length > 0
}

/** Stores the Message-ID that the server gave a sent message; replies will refer to it. */
export async function noteServerMessageId(client: Statements, actionId: string, serverMessageId: string) {
  await client.query('UPDATE actions SET server_message_id = $2 WHERE action_id = $1', [
    actionId,
    serverMessageId,
  ])
}

type Resolved = { status: LedgerTarget<'resolve'>; outcome: string; response: string }

/**
 * The owner's decision on an uncertain action. Clears the lease's owner, so that a late report of the worker
 * is ignored.
 */
export async function resolveAction(client: Statements, actionId: string, to: Resolved, now: Date) {
  await client.query(
    `UPDATE actions a SET status = $2::"ActionStatus", outcome = $3, response = $4, recorded_at = $5, lease_owner = NULL
     WHERE a.action_id = $1 AND ${guard('resolve')}`,
    [actionId, to.status, to.outcome, to.response, now],
  )
  if (to.status === 'sent') await tellOfSent(client, [actionId], now)
}

/**
 * Deletes failed actions so that their steps can be tried again. Nothing was accepted, and the decision log
 * keeps the errors.
 */
export async function withdrawFailed(client: Statements, actionIds: string[]): Promise<void> {
  await client.query(`DELETE FROM actions WHERE action_id = ANY ($1::uuid[]) AND status = 'failed'`, [
    actionIds,
  ])
}

/** A message was handed over but bounced temporarily: its step is tried again. */
export async function comeBack(client: Statements, actionId: string, response: string, now: Date) {
  await client.query(
    `UPDATE actions a SET status = 'retry', outcome = 'refused_for_now', response = $2, recorded_at = $3, lease_until = NULL
     WHERE a.action_id = $1 AND ${guard('come_back')}`,
    [actionId, response.slice(0, 2_000), now],
  )
}

type Sent = {
  workspace_id: string
  campaign_id: string
  campaign_lead_id: string
  email: string | null
  lead_index: number
  action_id: string
  step: number
  channel: string
  variant_label: string | null
  message_id: string | null
  subject: string | null
}

async function tellOfSent(client: Statements, actionIds: string[], at: Date): Promise<void> {
  if (actionIds.length === 0) return
  const { rows } = await client.query<Sent>(
    `SELECT a.workspace_id, a.campaign_id, a.campaign_lead_id, l.email, l.lead_index, a.action_id, a.step, a.channel,
       a.variant_label, a.message_id, a.subject
     FROM actions a JOIN campaign_leads l USING (campaign_lead_id) WHERE a.action_id = ANY ($1)`,
    [actionIds],
  )
  await tell(
    client,
    rows.map(({ workspace_id, ...data }) => ({ type: 'lead.sent', workspace_id, at, data })),
  )
}
