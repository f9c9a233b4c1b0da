import { randomBytes, randomUUID } from 'node:crypto'
import type { ClientBase, Pool, PoolClient } from 'pg'
import { pool } from '#lib/db/client'
import { inTransaction } from '#lib/db/transaction'
import { confirmationText, MAIL_EVERY_MS, mailTurn, nextMailTry } from '#lib/domain/leads/form-mail'
import { env } from '#lib/env'
import { roundEnd } from '#lib/services/instance/round-time'
import { isStopping } from '#lib/services/instance/stopping'
import { addEntry, digestLink } from '#lib/services/leads/forms/confirmation'
import type { NoticeMailbox } from '#lib/services/telling/mail-sender'
import { toMail } from '#lib/services/telling/send-notification'

const DAY_MS = 86_400_000
const ERASED_AT_ONCE = 5_000
/** Retry delay if the form has no usable mailbox; its owner may choose another one meanwhile. */
const WITHOUT_MAILBOX_MS = 3_600_000

type Due = {
  form_entry_id: string
  workspace_id: string
  form_id: string
  email: string
  mail_tries: number
  mailbox_id: string | null
  mail_subject: string
  mail_text: string
  mails_per_day: number
  keep_days: number
}
type Claimed = Due & { mailbox_id: string; token: string }
export type ConfirmationOptions = {
  pool: Pool
  mailbox: NoticeMailbox
  clock: () => Date
  until: Date
  stopping?: () => boolean
}

/**
 * Does the due work of forms: sends confirmation emails, and adds confirmed entries whose dataset was busy.
 */
export async function confirmationRound(
  mailbox: NoticeMailbox,
): Promise<{ offered: number; goes_on: boolean }> {
  const until = roundEnd(new Date())
  const options = { pool: pool(), mailbox, clock: () => new Date(), until, stopping: isStopping }
  const offered = await sendConfirmations(options)
  await addDue(options)
  return { offered, goes_on: new Date() >= until }
}

async function addDue({ pool, clock, until }: ConfirmationOptions): Promise<void> {
  const { rows } = await pool.query<{ form_entry_id: string }>(
    'SELECT form_entry_id FROM form_entries WHERE add_due_at <= $1 ORDER BY add_due_at LIMIT 500',
    [clock()],
  )
  for (const { form_entry_id } of rows) if (clock() < until) await addEntry(form_entry_id, clock())
}

/**
 * Marks each entry as mailed before its email is offered, so that a crash loses one email rather than sending
 * it twice. Returns how many were offered.
 */
export async function sendConfirmations(options: ConfirmationOptions): Promise<number> {
  const { clock, until, stopping } = options
  let offered = 0
  while (clock() < until && !stopping?.()) {
    const claimed = await claim(options)
    if (claimed === null) break
    if (claimed === 'put_off') continue
    offered += 1
    await offer(options, claimed)
  }
  return offered
}

/**
 * Claims the next entry whose email is due and gives it a new link. `put_off` if it must wait or its address
 * may not be contacted.
 */
async function claim({ pool, clock }: ConfirmationOptions): Promise<Claimed | 'put_off' | null> {
  const now = clock()
  return inTransaction(pool, async (client) => {
    const { rows } = await client.query<Due>(
      `SELECT e.form_entry_id, e.workspace_id, e.form_id, e.email, e.mail_tries, f.mailbox_id, f.mail_subject,
         f.mail_text, f.mails_per_day, f.keep_days
       FROM form_entries e JOIN forms f ON f.form_id = e.form_id AND f.workspace_id = e.workspace_id
       WHERE e.mail_due_at <= $1 AND e.confirmed_at IS NULL
       ORDER BY e.mail_due_at LIMIT 1 FOR UPDATE OF e SKIP LOCKED`,
      [now],
    )
    const [due] = rows
    if (!due) return null
    const { form_entry_id, workspace_id, mailbox_id } = due
    const at = mailbox_id ? await findTurn(client, due, now) : now.getTime() + WITHOUT_MAILBOX_MS
    if (mailbox_id === null || at === null || at > now.getTime()) {
      await client.query(
        'UPDATE form_entries SET mail_due_at = $3 WHERE form_entry_id = $1 AND workspace_id = $2',
        [form_entry_id, workspace_id, at === null ? null : new Date(at)],
      )
      return 'put_off'
    }
    const token = randomBytes(32).toString('base64url')
    await client.query(
      `UPDATE form_entries SET digest = $3, mailed_at = $4, mail_due_at = NULL, mail_tries = mail_tries + 1,
         mail_error = NULL, expires_at = $5 WHERE form_entry_id = $1 AND workspace_id = $2`,
      [form_entry_id, workspace_id, digestLink(token), now, new Date(now.getTime() + due.keep_days * DAY_MS)],
    )
    return { ...due, mailbox_id, mail_tries: due.mail_tries + 1, token }
  })
}

type Facts = { is_suppressed: boolean; last: Date | null; first: Date | null; sent: number }

/** When the limits of the address and the form allow the email; null if the address may not be contacted. */
async function findTurn(client: PoolClient, due: Due, now: Date): Promise<number | null> {
  const { workspace_id, form_id, email, mails_per_day } = due
  // Two forms may share an address and two workers a form, so they take turns.
  for (const turn of [`form:${form_id}`, `${workspace_id}:${email}`].toSorted())
    await client.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [turn])
  const { rows } = await client.query<Facts>(
    `SELECT EXISTS (SELECT 1 FROM effective_suppressions s WHERE s.workspace_id = $1
         AND s.value = ANY (ARRAY[$2, '@' || split_part($2, '@', 2)])) AS is_suppressed,
       (SELECT max(mailed_at) FROM form_entries WHERE workspace_id = $1 AND email = $2) AS last,
       min(o.mailed_at) AS first, count(*)::int AS sent
     FROM form_entries o WHERE o.workspace_id = $1 AND o.form_id = $3 AND o.mailed_at > $4`,
    [workspace_id, email, form_id, new Date(now.getTime() - MAIL_EVERY_MS)],
  )
  const { is_suppressed = true, last = null, first = null, sent = 0 } = rows[0] ?? {}
  if (is_suppressed) return null
  return mailTurn({
    now: now.getTime(),
    last_mailed_at: last?.getTime() ?? null,
    first_of_form_at: first?.getTime() ?? null,
    sent_of_form: sent,
    mails_per_day,
  })
}

/**
 * Offers the email once. If it never left, it is tried again later and does not count against the address.
 */
async function offer({ pool, mailbox, clock }: ConfirmationOptions, claimed: Claimed): Promise<void> {
  const { form_entry_id, workspace_id, email, mailbox_id, mail_subject, token } = claimed
  const url = new URL(`/forms/confirm/${token}`, env().APP_URL).href
  const text = confirmationText(claimed.mail_text, url, claimed.keep_days)
  const opened = await mailbox(mailbox_id, clock())
  const message = { notification_message_id: randomUUID(), recipient: email, subject: mail_subject, text }
  const outcome = opened
    ? await opened.send(toMail(message, { from: opened.from, reply_to: null }, clock()))
    : { outcome: 'never_left' as const, error: 'The mailbox cannot send.' }
  if (outcome.outcome === 'accepted' || outcome.outcome === 'unknown') return
  const said = 'response' in outcome ? outcome.response : outcome.error
  const isFinal = outcome.outcome === 'refused_for_good'
  const next = isFinal ? null : nextMailTry(clock().getTime(), claimed.mail_tries)
  await pool.query(
    `UPDATE form_entries SET mail_due_at = $3, mail_error = $4,
       mailed_at = CASE WHEN $3::timestamptz IS NULL THEN mailed_at END
     WHERE form_entry_id = $1 AND workspace_id = $2 AND confirmed_at IS NULL`,
    [form_entry_id, workspace_id, next === null ? null : new Date(next), said.slice(0, 500)],
  )
}

/**
 * After a restore from a backup: emails that were due may have been sent since the backup, so they are held.
 * A person who got none can submit the form again. The tables have the backup's schema version.
 */
export async function holdRestoredConfirmations(client: ClientBase): Promise<void> {
  await client.query(
    `UPDATE form_entries SET mail_due_at = NULL, mail_error = 'Restored from a backup: it may have left after it.'
     WHERE mail_due_at IS NOT NULL`,
  )
}

/** Deletes entries that were not confirmed in time: nobody consented to storing them. */
export async function eraseUnconfirmed(now: Date): Promise<{ erased: number }> {
  const { rowCount } = await pool().query(
    `DELETE FROM form_entries WHERE form_entry_id IN (SELECT form_entry_id FROM form_entries
       WHERE confirmed_at IS NULL AND expires_at <= $1 ORDER BY expires_at LIMIT ${ERASED_AT_ONCE})`,
    [now],
  )
  return { erased: rowCount ?? 0 }
}
