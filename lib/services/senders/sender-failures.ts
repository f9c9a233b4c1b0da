import type { Pool, PoolClient } from 'pg'
import { prepared } from '#lib/db/prepared'
import { inTransaction } from '#lib/db/transaction'
import type { Channel } from '#lib/domain/campaigns/step-conditions'
import {
  judgeSender,
  retryAfter,
  type SenderCause,
  type SenderFailure,
  type SenderShown,
  type SenderState,
  type SenderVerdict,
} from '#lib/domain/sending/sender-failures'
import type { Sender } from '#lib/domain/sending/sender-limits'
import { lockRunning } from '#lib/services/campaigns/locks'
import { wakeCampaigns } from '#lib/services/campaigns/state'
import type { Recorded } from '#lib/services/senders/recorded-action'
import { tellOfFailing } from '#lib/services/senders/told'

/** The outage columns of mailboxes and accounts; absent: nothing is known. */
export type Failing = {
  status?: 'connected' | 'failing'
  failing_cause?: SenderCause | null
  failing_tries?: number
  next_try_at?: Date | null
}

/** The failure of a mailbox or account that cannot send, in the form that plans and explanations take. */
export const senderFailure = (
  row: Failing,
  name: string,
  said: string | null = null,
): SenderFailure | null =>
  row.status === 'failing' && row.failing_cause && row.next_try_at
    ? {
        cause: row.failing_cause,
        said: said ?? '',
        name,
        tries: row.failing_tries ?? 1,
        next_try_at: row.next_try_at.getTime(),
      }
    : null

/** While a sender fails, a claim takes only one of its actions: whether more may follow depends on the outcome of that one. */
export const tryingOne = (senders: readonly Sender[]): Sender[] =>
  senders.map((sender) =>
    sender.failing ? { ...sender, retry_ms: retryAfter(sender.failing.tries + 1) } : sender,
  )

const TABLES = {
  email: { table: 'mailboxes', id: 'mailbox_id', said: 'last_error' },
  social: { table: 'connected_accounts', id: 'account_id', said: 'status_reason' },
} as const

/**
 * Reserves the tries of failing senders in a claim: until the outcome is known, no other campaign tries them, and if it never becomes
 * known, the next try is scheduled as after a failure.
 */
export async function noteTries(
  client: PoolClient,
  senders: readonly Sender[],
  used: Set<string>,
  now: Date,
) {
  for (const channel of ['email', 'social'] as const) {
    const { table, id } = TABLES[channel]
    const tried = senders.filter(
      (sender) => sender.channel === channel && sender.failing && used.has(sender.sender_id),
    )
    if (tried.length === 0) continue
    await client.query(
      prepared(
        `UPDATE ${table} s SET next_try_at = t.next_try_at FROM unnest($1::uuid[], $2::timestamptz[]) t (id, next_try_at)
         WHERE s.${id} = t.id AND s.status = 'failing'`,
        [
          tried.map((sender) => sender.sender_id),
          tried.map(({ failing }) => new Date(now.getTime() + retryAfter((failing?.tries ?? 0) + 1))),
        ],
      ),
    )
  }
}

/**
 * Updates the state of senders from the outcomes, in the same transaction. Returns the owners of senders that may continue: their campaigns
 * are woken afterwards, since campaigns are locked before senders.
 */
export async function noteSenders(client: PoolClient, written: Recorded[], now: Date): Promise<string[]> {
  const owners = new Set<string>()
  // Mailboxes before accounts, each in the order of their ids, as claims lock them.
  for (const channel of ['email', 'social'] as const) {
    const mine = written.filter(({ action }) => action.channel === channel)
    const shown = Map.groupBy(mine, ({ action }) => action.sender_id)
    for (const state of await loadStates(client, channel, shown)) {
      const verdict = judgeSender(state, (shown.get(state.id) ?? []).map(shownBy), now.getTime())
      if (!verdict) continue
      await writeVerdict(client, { channel, id: state.id }, verdict, now)
      if (verdict.becomes === 'failing' && state.failing_since === null)
        await tellOfFailing(client, channel, state.id, now)
      if (verdict.becomes !== 'failing') owners.add(state.workspace_id)
    }
  }
  return [...owners]
}

function shownBy({ action, outcome }: Recorded): { at: number; sender: SenderShown } {
  const { sender_fault, sender_worked, response, retry_after_ms } = outcome
  const worked = sender_worked ? 'works' : 'untried'
  return {
    at: action.performed_at.getTime(),
    sender: sender_fault ? { cause: sender_fault, said: response, retry_after_ms } : worked,
  }
}

type State = SenderState & { id: string; workspace_id: string }

/** Reads and locks senders only if their state may change: most outcomes confirm a sender that works. */
async function loadStates(client: PoolClient, channel: Channel, shown: Map<string, Recorded[]>) {
  const isNews = ({ action, outcome }: Recorded) => action.sender_fails || outcome.sender_fault
  if (![...shown.values()].some((of) => of.some(isNews))) return []
  const { table, id } = TABLES[channel]
  const faulty = [...shown].flatMap(([sender, of]) =>
    of.some(({ outcome }) => outcome.sender_fault) ? [sender] : [],
  )
  const { rows } = await client.query<State>(
    prepared(
      `SELECT ${id} AS id, workspace_id, failing_tries, (extract(epoch FROM failing_since) * 1000)::float8 AS failing_since,
         (extract(epoch FROM last_checked_at) * 1000)::float8 AS last_checked_at
       FROM ${table}
       WHERE ${id} = ANY ($1) AND status::text <> 'disconnected' AND (status = 'failing' OR ${id} = ANY ($2))
       ORDER BY ${id} FOR NO KEY UPDATE`,
      [[...shown.keys()], faulty],
    ),
  )
  return rows
}

type Which = { channel: Channel; id: string }

async function writeVerdict(
  client: PoolClient,
  { channel, id: senderId }: Which,
  verdict: SenderVerdict,
  now: Date,
) {
  const { table, id, said } = TABLES[channel]
  if (verdict.becomes === 'untried')
    await client.query(`UPDATE ${table} SET next_try_at = $2 WHERE ${id} = $1`, [senderId, now])
  else if (verdict.becomes === 'connected')
    await client.query(
      `UPDATE ${table} SET status = 'connected', ${said} = NULL, last_checked_at = $2, ${WORKS} WHERE ${id} = $1`,
      [senderId, now],
    )
  else
    await client.query(
      `UPDATE ${table} SET status = 'failing', ${said} = $2, failing_cause = $3, failing_since = $4, failing_tries = $5,
         next_try_at = $6 WHERE ${id} = $1`,
      [
        senderId,
        verdict.said.slice(0, 1_000),
        verdict.cause,
        new Date(verdict.since),
        verdict.tries,
        new Date(verdict.next_try_at),
      ],
    )
}

/** The outage columns of a sender that works. */
export const WORKS = 'failing_cause = NULL, failing_since = NULL, failing_tries = 0, next_try_at = NULL'

/** A mailbox could not be read before a follow-up was due: it is tried again like any failing one. */
export const noteUnreadable = (pool: Pool, mailboxId: string, said: string, now: Date): Promise<void> =>
  noteOutage(pool, mailboxId, { cause: 'unreadable', said }, now)

/** Records that a mailbox cannot send, before any message shows it: reported once, and tried again like any failing one. */
export async function noteOutage(
  pool: Pool,
  mailboxId: string,
  { cause, said }: Pick<SenderFailure, 'cause' | 'said'>,
  now: Date,
): Promise<void> {
  await inTransaction(pool, async (client) => {
    const { rows } = await client.query<{ tries: number; since: Date | null }>(
      `SELECT failing_tries AS tries, failing_since AS since FROM mailboxes WHERE mailbox_id = $1 FOR NO KEY UPDATE`,
      [mailboxId],
    )
    const [row] = rows
    if (!row) return
    const tries = row.tries + 1
    const since = row.since?.getTime() ?? now.getTime()
    const next_try_at = now.getTime() + retryAfter(tries)
    const verdict = { becomes: 'failing', cause, said, tries, since, next_try_at } as const
    await writeVerdict(client, { channel: 'email', id: mailboxId }, verdict, now)
    if (row.since === null) await tellOfFailing(client, 'email', mailboxId, now)
  })
}

/** A mailbox that was unreadable can be read again: its campaigns look at once. */
export async function noteReadable(pool: Pool, mailboxId: string, now: Date): Promise<void> {
  const { rows } = await pool.query<{ workspace_id: string }>(
    `UPDATE mailboxes SET status = 'connected', last_error = NULL, last_checked_at = $2, ${WORKS}
     WHERE mailbox_id = $1 AND failing_cause = 'unreadable' RETURNING workspace_id`,
    [mailboxId, now],
  )
  await wakeOwners(
    pool,
    rows.map(({ workspace_id }) => workspace_id),
    now,
  )
}

/** Makes the running campaigns of these owners look at once at leads that waited for a sender. */
export async function wakeOwners(pool: Pool, owners: string[], now: Date): Promise<void> {
  for (const owner of owners)
    await inTransaction(pool, async (client) => {
      const running = await lockRunning(client, owner)
      await wakeCampaigns(client, running, now)
    })
}
