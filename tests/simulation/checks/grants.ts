import type pg from 'pg'
import type { Claim, Ledger, MailboxRow } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { type Fail, instant } from '#tests/simulation/checks/witness'

/** I21: a provider that throttles gets the time that it asks for: the next try is put off by that long. */
export function judgePutOff(ledger: Ledger, senderId: string, row: MailboxRow, old: MailboxRow | null): void {
  if (row.failing_cause !== 'throttled' || !row.next_try_at || !row.failing_since) return
  if (old?.status === 'failing' && row.failing_tries <= old.failing_tries) return
  const tries = ledger.claims.filter((one) => one.sender_id === senderId).map((one) => one.at)
  const heard = row.failing_tries === 1 ? instant(row.failing_since) : Math.max(...tries)
  const until = heard + ledger.asks_ms
  if (instant(row.next_try_at) < until)
    throw new Violation(
      'I21',
      `${row.address} is to wait ${ledger.asks_ms} ms, and tries at ${row.next_try_at}`,
    )
  ledger.waits.set(senderId, until)
}

/** I21: until then nothing is tried from the mailbox, for any campaign and lead. */
export function judgeWait(ledger: Ledger, claim: Claim, sender: MailboxRow, fail: Fail): void {
  if (sender.failing_cause === 'throttled' && claim.at < (ledger.waits.get(sender.mailbox_id) ?? 0))
    fail('I21', `${sender.address} was asked to wait`)
}

const SILENT = `
  SELECT m.mailbox_id, m.address, m.status::text AS status,
    EXISTS (SELECT 1 FROM notifications n WHERE n.mailbox_id = m.mailbox_id AND n.kind = 'mailbox_failing') AS is_told
  FROM mailbox_grants g JOIN mailboxes m USING (mailbox_id) WHERE g.ended_at IS NOT NULL`

type Ended = { mailbox_id: string; address: string; status: string; is_told: boolean }

/**
 * I20 between two wake-ups: a mailbox whose sign-in has ended is failing, and its owner was notified. If the process died before it
 * recorded that (`unsaid`), the next one that asks for a token does.
 */
export async function judgeEnded(control: pg.Client, { unsaid }: Ledger, isCrash: boolean): Promise<void> {
  const { rows } = await control.query<Ended>(SILENT)
  const silent = rows.filter(({ status, is_told }) => status !== 'failing' || !is_told)
  const known = new Set(silent.map(({ mailbox_id }) => mailbox_id))
  for (const mailboxId of unsaid) if (!known.has(mailboxId)) unsaid.delete(mailboxId)
  for (const { mailbox_id, address, status, is_told } of silent) {
    if (isCrash) unsaid.add(mailbox_id)
    if (!unsaid.has(mailbox_id))
      throw new Violation('I20', `${address} is signed out, its status is ${status}, told: ${is_told}`)
  }
}
