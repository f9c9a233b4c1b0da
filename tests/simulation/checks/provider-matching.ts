import type { Claim, Ledger, MailboxRow } from '#tests/simulation/checks/ledger'
import { decidedLimit } from '#tests/simulation/checks/ramps'
import { Violation } from '#tests/simulation/checks/violation'
import { isNear, limitOn } from '#tests/simulation/checks/witness'
import { zoneOf } from '#tests/simulation/checks/zones'
import { HOSTS } from '#tests/simulation/worlds/sender-choices'

/**
 * I23: with provider matching, no lead gets its first mail from another provider while a mailbox of its own provider
 * was free. Judged once the whole commit is known, as another claim of the same commit may have taken that mailbox's slot.
 */
export function judgeMatching(ledger: Ledger, claims: Claim[]): void {
  for (const claim of claims) {
    const campaign = ledger.campaigns.get(claim.campaign_id)
    const lead = ledger.leads.get(claim.lead)
    const email = lead?.email ?? ''
    const wanted = ledger.recipients[email.split('@')[1] ?? '']
    if (!campaign?.match_providers || !wanted || claim.channel !== 'email') continue
    const isFirst = ledger.claims.find((one) => one.lead === claim.lead && one.channel === 'email') === claim
    const from = ledger.mailboxes.get(claim.sender_id)
    if (!isFirst || !from || isWith(ledger, from, wanted) || ledger.resent.has(claim.campaign_id)) continue
    const free = [...ledger.mailboxes.values()].find(
      (box) =>
        box.workspace_id === campaign.workspace_id &&
        (campaign.alias_ids === null || campaign.alias_ids.includes(box.mailbox_id)) &&
        box.smtp.host === HOSTS[wanted] &&
        (wanted === 'google' || !ledger.granted.has(box.mailbox_id)) &&
        isFree(ledger, claim, box),
    )
    if (free)
      throw new Violation(
        'I23',
        `${email} is at ${wanted}, and got ${from.address} while ${free.address} was free at ${new Date(claim.at).toISOString()}`,
      )
  }
}

/** A mailbox that signs in by OAuth is Google's, whatever server it names. */
const isWith = ({ granted }: Ledger, { mailbox_id, smtp }: MailboxRow, wanted: 'google' | 'microsoft') =>
  smtp.host === HOSTS[wanted] || (wanted === 'google' && granted.has(mailbox_id))

/** Certainly free: slots of mails that may not have been sent count as taken, too. */
function isFree(ledger: Ledger, claim: Claim, box: MailboxRow): boolean {
  if (box.status !== 'connected' || (ledger.paused.get(box.mailbox_id) ?? 0) > claim.at) return false
  const taken = ledger.claims.filter((one) => one.sender_id === box.mailbox_id)
  const calendar = limitOn(box, claim.date, zoneOf(ledger, box.workspace_id))
  const limit = Math.min(calendar, decidedLimit(ledger, box, claim.date) ?? calendar)
  return (
    taken.filter((one) => one.date >= claim.date).length < limit &&
    !isNear(claim, taken, box.min_interval_seconds)
  )
}
