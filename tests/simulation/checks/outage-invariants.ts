import type { ActionRow, Claim, FailingRow, Ledger } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { type Fail, instant, type Witness } from '#tests/simulation/checks/witness'
import { isOf } from '#tests/simulation/worlds/provider'

const LADDER = [1, 2, 4, 8, 16, 32, 60]
const ladderMs = (tries: number) => (LADDER[Math.min(tries, LADDER.length) - 1] ?? 0) * 60_000

/** I4 of a sender that cannot send: one try per backoff interval, across all campaigns and leads. */
export function judgeTry(ledger: Ledger, claim: Claim, sender: FailingRow | undefined, fail: Fail): void {
  if (sender?.status !== 'failing' || !sender.failing_since) return
  const since = instant(sender.failing_since)
  const mine = ledger.claims.filter((one) => one.sender_id === claim.sender_id && one.is_try)
  const tries = mine.filter((one) => one.at > since)
  const last = Math.max(since, ...tries.map((one) => one.at))
  if (claim.at < last + ladderMs(sender.failing_tries))
    fail('I4', `a sender that fails since ${sender.failing_since} is tried again too soon`)
}

/** Each failed try postpones the next one further. */
export function judgeOutage(ledger: Ledger, senderId: string, row: FailingRow, old: FailingRow | null): void {
  if (row.status !== 'failing' || !row.next_try_at || !row.failing_since) return
  if (old?.status === 'failing' && row.failing_tries <= old.failing_tries) return
  const tries = ledger.claims.filter((one) => one.sender_id === senderId).map((one) => one.at)
  const last = row.failing_tries === 1 ? instant(row.failing_since) : Math.max(...tries)
  if (instant(row.next_try_at) < last + ladderMs(row.failing_tries))
    throw new Violation('I4', `after ${row.failing_tries} tries the next comes at ${row.next_try_at}`)
}

/** A failure that the provider blames on the sender is recorded as an outage of the sender, and costs the lead nothing. */
export function judgeFault(ledger: Ledger, row: ActionRow, witness: Witness): void {
  const offer = witness.offers.findLast((one) => isOf(one, row))
  if (row.status !== 'retry' || row.outcome !== 'never_left' || offer?.outcome.outcome !== 'never_left')
    return
  // Given back before it was offered again: the outcome of an earlier try does not apply.
  const claim = ledger.claims.findLast((one) => one.lead === row.campaign_lead_id && one.step === row.step)
  if (claim && !claim.is_try) return
  const sender =
    ledger.mailboxes.get(row.mailbox_id ?? '') ?? ledger.accounts.get(row.connected_account_id ?? '')
  if (!sender || sender.status === 'disconnected' || sender.status === 'deleted') return
  const isOld = sender.last_checked_at !== null && instant(row.performed_at) < instant(sender.last_checked_at)
  const isLost = 'sender_rejected' in offer.outcome && offer.outcome.sender_rejected === true
  if (sender.status !== 'failing' && !isOld && !isLost)
    throw new Violation('I7', `nobody knows that the sender of ${row.action_id} cannot send`)
}
