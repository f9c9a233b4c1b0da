import type { Ledger } from '#tests/simulation/checks/ledger'
import { judgeSocialOffer } from '#tests/simulation/checks/social-invariants'
import { Violation } from '#tests/simulation/checks/violation'
import { localPart, type Witness } from '#tests/simulation/checks/witness'
import { type Offer, sameStep } from '#tests/simulation/worlds/provider'

/** I1, I7 and I20 at the provider's door: known to the ledger as under way, and not offered in vain or twice. */
export function judgeOffer(ledger: Ledger, offer: Offer, witness: Witness): void {
  const who = `${offer.campaign}/${offer.to}/${offer.step}`
  const same = witness.offers.filter((other) => sameStep(other, offer))
  if (same.some((other) => other.taken)) throw new Violation('I1', `offered twice: ${who}`)
  if (offer.channel === 'social') {
    judgeSocialOffer(ledger, offer, witness)
    return
  }
  const failed = new Set(
    [...ledger.actions.values()].flatMap((row) => (row.status === 'failed' ? localPart(row.message_id) : [])),
  )
  // What failed made way for an action of its own, with an id of its own.
  const retried = same.filter((other) => !failed.has(localPart(other.message_id)))
  if (retried.some((other) => localPart(other.message_id) !== localPart(offer.message_id)))
    throw new Violation('I1', `offered again under another Message-ID: ${who}`)
  if (offer.broke) throw new Violation('I20', `${offer.broke}: ${who}`)
  const action = [...ledger.actions.values()].find((row) => row.message_id === offer.message_id)
  if (!action) throw new Violation('I7', `a message without a ledger row: ${who}`)
  if (action.step !== offer.step) throw new Violation('I8', `the ledger says step ${action.step}: ${who}`)
  if (ledger.leads.get(action.campaign_lead_id)?.email !== offer.to)
    throw new Violation('I7', `the ledger names another lead: ${who}`)
  if (ledger.mailboxes.get(action.mailbox_id ?? '')?.address !== offer.from)
    throw new Violation('I7', `the ledger names another mailbox: ${who}`)
}
