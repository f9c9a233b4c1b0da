import type { ActionRow, Ledger } from '#tests/simulation/checks/ledger'
import { judgeSocialOffer } from '#tests/simulation/checks/social-invariants'
import { Violation } from '#tests/simulation/checks/violation'
import { instant, localPart, type Witness } from '#tests/simulation/checks/witness'
import { isOf, type Offer, sameStep } from '#tests/simulation/worlds/provider'

/**
 * I1, I2, I7 and I20 when the provider gets an offer: the ledger has it in flight, and it was not offered before or after a final answer.
 */
export function judgeOffer(ledger: Ledger, offer: Offer, witness: Witness): void {
  const who = `${offer.campaign}/${offer.to}/${offer.step}`
  const same = witness.offers.filter((other) => sameStep(other, offer))
  if (same.some((other) => other.taken)) throw new Violation('I1', `offered twice: ${who}`)
  const action = [...ledger.actions.values()].find((row) => isOf(offer, row))
  if (action) judgeHold(ledger, action, witness, who)
  if (offer.channel === 'social') {
    judgeSocialOffer(ledger, offer, witness)
    return
  }
  const failed = new Set(
    [...ledger.actions.values()].flatMap((row) => (row.status === 'failed' ? localPart(row.message_id) : [])),
  )
  // A failed action was replaced by one of its own, with an id of its own.
  const retried = same.filter((other) => !failed.has(localPart(other.message_id)))
  if (retried.some((other) => localPart(other.message_id) !== localPart(offer.message_id)))
    throw new Violation('I1', `offered again under another Message-ID: ${who}`)
  if (offer.broke) throw new Violation('I20', `${offer.broke}: ${who}`)
  if (!action) throw new Violation('I7', `a message without a ledger row: ${who}`)
  if (action.step !== offer.step) throw new Violation('I8', `the ledger says step ${action.step}: ${who}`)
  if (ledger.leads.get(action.campaign_lead_id)?.email !== offer.to)
    throw new Violation('I7', `the ledger names another lead: ${who}`)
  if (ledger.mailboxes.get(action.mailbox_id ?? '')?.address !== offer.from)
    throw new Violation('I7', `the ledger names another mailbox: ${who}`)
}

/** I2 of an offer: the claim met window, limits and no reply, but guarantees that only until its lease runs out. */
function judgeHold({ lapsed }: Ledger, action: ActionRow, { now }: Witness, who: string): void {
  const { action_id, status, lease_until } = action
  if (status !== 'sending') throw new Violation('I2', `offered while it was ${status}: ${who}`)
  if (lapsed.has(action_id) || instant(lease_until ?? '') < now)
    throw new Violation('I2', `offered although its lease had run out: ${who}`)
}
