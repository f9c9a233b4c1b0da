import { addDays, dateOf, daysBetween, windowDayOf } from '#tests/simulation/calendar'
import {
  type ActionRow,
  actionOf,
  apply,
  type CampaignRow,
  type Change,
  type Claim,
  type Ledger,
  type MailboxRow,
} from '#tests/simulation/ledger'
import type { Offer } from '#tests/simulation/provider'
import { Violation } from '#tests/simulation/violation'

/** What is known apart from the ledger when a change is judged. */
export type Witness = {
  owner_timezone: string
  /** The provider's own log. */
  offers: Offer[]
  /** Places of the campaigns, as messages name them. */
  places: Map<string, number>
  /** Actions of which the owner said that they were not sent. */
  words: Set<string>
  /** The virtual time. */
  now: number
  /** Commits until now, and when the transaction that is judged began. */
  commits: number
  began: number
}

/** Its domain is the mailbox's, which an edit may take away. */
const localPart = (messageId: string | null) => messageId?.split('@')[0]
export const isOver = (status: string) => status !== 'pending' && status !== 'active'
const instant = (iso: string) => Date.parse(iso)

/** Judges one commit: each slot that it took against what stood before it, then takes everything over. */
export function judge(ledger: Ledger, changes: Change[], witness: Witness): void {
  for (const change of changes) {
    if (change.kind !== 'actions') continue
    const { row, old } = change
    if (row.status === 'sending' && old?.status !== 'sending') judgeClaim(ledger, changes, row, old, witness)
    if (old?.status === 'sending' && row.status === 'retry') giveBack(ledger, row)
    if (old?.status === 'sending' && row.status === 'uncertain') judgeDoubt(row, old, witness)
    if (old?.status === 'uncertain' && row.status === 'sending')
      throw new Violation('I1', `an uncertain action went back to sending: ${row.action_id}`)
  }
  for (const change of changes) apply(ledger, change, witness.commits)
}

function judgeClaim(
  ledger: Ledger,
  changes: Change[],
  row: ActionRow,
  old: ActionRow | null,
  witness: Witness,
) {
  const campaign = ledger.campaigns.get(row.campaign_id)
  const lead = ledger.leads.get(row.campaign_lead_id)
  const mailbox = ledger.mailboxes.get(row.mailbox_id ?? '')
  const at = instant(row.performed_at)
  const who = `${witness.places.get(row.campaign_id)}/${lead?.email}/${row.step} at ${row.performed_at}`
  const fail = (invariant: string, text: string): never => {
    throw new Violation(invariant, `${text} (${who})`)
  }
  if (!campaign || !lead || !mailbox) return fail('I7', 'a slot without its campaign, lead or mailbox')

  const same = (offer: Offer) =>
    offer.campaign === witness.places.get(row.campaign_id) && offer.to === lead.email
  if (witness.offers.some((offer) => same(offer) && offer.step === row.step && offer.taken))
    fail('I1', 'claimed again although an offer of it was, or may have been, taken')
  if (old && old.status !== 'retry') fail('I1', `claimed again from ${old.status}`)
  if (old && localPart(old.message_id) !== localPart(row.message_id))
    fail('I1', 'a retry with another Message-ID')

  const windowDay = windowDayOf(campaign, at)
  if (!windowDay) return fail('I2', 'outside of window or send days')
  if (at > witness.now) fail('I2', 'performed in the future')

  if (isOver(lead.status)) fail('I5', `claimed after the lead was ${lead.status}`)
  const listed = [lead.email ?? '', `@${lead.email?.split('@')[1]}`].map((value) =>
    ledger.suppressed.get(value),
  )
  if (listed.some((since) => since !== undefined && since <= witness.began))
    fail('I5', 'claimed after its address was suppressed')
  if (campaign.status !== 'active' && campaign.status !== 'draining')
    fail('I6', `claimed while the campaign was ${campaign.status}`)
  if (mailbox.status !== 'connected') fail('I6', 'claimed from a disconnected mailbox')
  if (campaign.alias_ids && !campaign.alias_ids.includes(mailbox.mailbox_id))
    fail('I6', 'claimed from a mailbox that the campaign does not name')

  const claim: Claim = {
    lead: row.campaign_lead_id,
    campaign_id: row.campaign_id,
    mailbox_id: mailbox.mailbox_id,
    step: row.step,
    at,
    window_day: windowDay,
    date: dateOf(witness.owner_timezone, at),
    counts: true,
  }
  judgeLimits(ledger, claim, campaign, mailbox, witness, fail)
  judgeOrder(ledger, changes, claim, campaign, witness, fail)
  ledger.claims.push(claim)
}

type Fail = (invariant: string, text: string) => never

/** I3 and I4: counted anew from the slots that are known, not from the product's counters. */
function judgeLimits(
  ledger: Ledger,
  claim: Claim,
  campaign: CampaignRow,
  mailbox: MailboxRow,
  witness: Witness,
  fail: Fail,
) {
  const mine = ledger.claims.filter((one) => one.campaign_id === claim.campaign_id)
  const today = mine.filter((one) => one.counts && windowDayOf(campaign, one.at) === claim.window_day)
  if (today.length >= campaign.daily_limit)
    fail('I3', `the campaign's limit is ${campaign.daily_limit} on ${claim.window_day}`)

  const from = ledger.claims.filter((one) => one.mailbox_id === claim.mailbox_id)
  const limit = limitOn(mailbox, claim.date, witness.owner_timezone)
  if (from.filter((one) => one.counts && one.date === claim.date).length >= limit)
    fail('I3', `the limit of ${mailbox.address} is ${limit} on ${claim.date}`)

  const near = (others: Claim[], seconds: number) =>
    others.some((one) => Math.abs(claim.at - one.at) < seconds * 1_000)
  if (near(mine, campaign.min_interval_seconds)) fail('I4', `closer than ${campaign.min_interval_seconds} s`)
  if (near(from, mailbox.min_interval_seconds))
    fail('I4', `closer than ${mailbox.min_interval_seconds} s from ${mailbox.address}`)
}

function limitOn(mailbox: MailboxRow, date: string, timezone: string): number {
  if (!mailbox.ramp_up) return mailbox.daily_limit
  const days = daysBetween(dateOf(timezone, instant(mailbox.ramp_up_started_at)), date)
  const ramped = mailbox.ramp_up.start + mailbox.ramp_up.increase_per_day * Math.max(0, days)
  return Math.min(mailbox.daily_limit, ramped)
}

/** I8: every step before it is behind the lead, and its delay has passed since the last of them. */
function judgeOrder(
  ledger: Ledger,
  changes: Change[],
  claim: Claim,
  campaign: CampaignRow,
  witness: Witness,
  fail: Fail,
) {
  const skipped = new Map<number, ActionRow>()
  for (const { kind, row } of changes)
    if (kind === 'actions' && row.campaign_lead_id === claim.lead && row.status === 'skipped')
      skipped.set(row.step, row)
  const before = (step: number) => skipped.get(step) ?? actionOf(ledger, claim.lead, step)
  for (let step = 1; step < claim.step; step++) {
    const { status, action_id = '' } = before(step) ?? {}
    // By the owner's word a step that the lead is past may never have left.
    if (status === 'failed' && witness.words.has(action_id)) continue
    if (status !== 'sent' && status !== 'uncertain' && status !== 'skipped')
      fail('I8', `step ${step} is ${status ?? 'not begun'}`)
  }
  const since = claim.step === 1 ? campaign.launched_at : before(claim.step - 1)?.performed_at
  const delay = campaign.steps_config[claim.step - 1]?.delay_days
  if (delay === undefined || !since) return fail('I8', 'a step that the campaign does not have')
  if (claim.at < addDays(campaign.timezone, instant(since), delay))
    fail('I8', `before its delay of ${delay} days`)

  const sender = ledger.claims.findLast((one) => one.lead === claim.lead)?.mailbox_id
  if (sender && sender !== claim.mailbox_id && !ledger.resent.has(claim.campaign_id))
    fail('I8', 'the thread changed its mailbox')
}

/** Only a provider that did not say, or a lease that ran out, makes an action uncertain. */
function judgeDoubt(row: ActionRow, old: ActionRow, witness: Witness) {
  const isOverdue = old.lease_until !== null && instant(old.lease_until) < witness.now
  const unsaid = witness.offers.some(
    ({ message_id, outcome }) => message_id === row.message_id && outcome.outcome === 'unknown',
  )
  if (!isOverdue && !unsaid) throw new Violation('I7', `${row.action_id} was judged before its lease ran out`)
}

function giveBack(ledger: Ledger, row: ActionRow) {
  const claim = ledger.claims.findLast((one) => one.lead === row.campaign_lead_id && one.step === row.step)
  if (claim) claim.counts = false
}

/** I1 and I7 at the provider's door: known to the ledger as under way, and not offered in vain or twice. */
export function judgeOffer(ledger: Ledger, offer: Offer, witness: Witness): void {
  const who = `${offer.campaign}/${offer.to}/${offer.step}`
  const same = witness.offers.filter(
    (other) => other.campaign === offer.campaign && other.to === offer.to && other.step === offer.step,
  )
  if (same.some((other) => other.taken)) throw new Violation('I1', `offered twice: ${who}`)
  if (same.some((other) => localPart(other.message_id) !== localPart(offer.message_id)))
    throw new Violation('I1', `offered again under another Message-ID: ${who}`)
  const action = [...ledger.actions.values()].find((row) => row.message_id === offer.message_id)
  if (!action) throw new Violation('I7', `a message without a ledger row: ${who}`)
  if (action.step !== offer.step) throw new Violation('I8', `the ledger says step ${action.step}: ${who}`)
  if (ledger.leads.get(action.campaign_lead_id)?.email !== offer.to)
    throw new Violation('I7', `the ledger names another lead: ${who}`)
  if (ledger.mailboxes.get(action.mailbox_id ?? '')?.address !== offer.from)
    throw new Violation('I7', `the ledger names another mailbox: ${who}`)
}
