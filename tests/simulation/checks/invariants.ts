import { judgeColleague, judgeContact } from '#tests/simulation/checks/contact-policy'
import { judgePutOff, judgeWait } from '#tests/simulation/checks/grants'
import {
  type ActionRow,
  actionOf,
  apply,
  awayAfter,
  type CampaignRow,
  type Change,
  type Claim,
  type Ledger,
  listedSince,
  type MailboxRow,
  repliedAfter,
} from '#tests/simulation/checks/ledger'
import { judgeFault, judgeOutage, judgeTry } from '#tests/simulation/checks/outage-invariants'
import { judgeMatching } from '#tests/simulation/checks/provider-matching'
import { decidedLimit, judgeRampDay } from '#tests/simulation/checks/ramps'
import { judgeAccount } from '#tests/simulation/checks/social-invariants'
import { Violation } from '#tests/simulation/checks/violation'
import {
  type Fail,
  instant,
  isNear,
  isOver,
  limitOn,
  localPart,
  type Witness,
} from '#tests/simulation/checks/witness'
import { judgeEndings, judgeOwner, judgeTouch } from '#tests/simulation/checks/workspaces'
import { moveZone, zoneOf } from '#tests/simulation/checks/zones'
import { addDays, countedDayOf, dateOf, windowDayOf } from '#tests/simulation/worlds/calendar'
import { isOf, sameStep } from '#tests/simulation/worlds/provider'

const FRESH_MS = 5 * 60_000

/** Judges one commit: each slot that it took against the state before it, then applies all its changes to the ledger. */
export function judge(ledger: Ledger, changes: Change[], witness: Witness): void {
  judgeTouch(ledger, changes, witness.acting)
  const before = ledger.claims.length
  for (const change of changes) {
    if (change.kind === 'mailboxes') {
      judgeOutage(ledger, change.row.mailbox_id, change.row, change.old)
      judgePutOff(ledger, change.row.mailbox_id, change.row, change.old)
    }
    if (change.kind === 'ramp_days') judgeRampDay(ledger, change.row, change.old)
    if (change.kind === 'workspaces' && !change.row.status) moveZone(ledger, change.row, witness.now)
    if (change.kind === 'connected_accounts')
      judgeOutage(ledger, change.row.account_id, change.row, change.old)
    if (change.kind === 'inbox_messages') countChat(ledger, change, witness)
    if (change.kind !== 'actions') continue
    const { row, old } = change
    keepLapsed(ledger, row, old, witness)
    if (row.status === 'sending' && old?.status !== 'sending') judgeClaim(ledger, changes, row, old, witness)
    // Skipped: found not to apply to the lead just before the offer.
    if (old?.status === 'sending' && (row.status === 'retry' || row.status === 'skipped'))
      giveBack(ledger, row, witness)
    if (old?.status === 'sending' && row.status === 'uncertain') judgeDoubt(row, old, witness)
    if (old?.status === 'uncertain' && row.status === 'sending')
      throw new Violation('I1', `an uncertain action went back to sending: ${row.action_id}`)
  }
  judgeMatching(ledger, ledger.claims.slice(before))
  for (const change of changes) apply(ledger, change, witness.commits)
  judgeEndings(ledger, changes)
  for (const change of changes)
    if (change.kind === 'actions' && change.old?.status === 'sending') judgeFault(ledger, change.row, witness)
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
  const isSocial = row.channel === 'social'
  const mailbox = ledger.mailboxes.get(row.mailbox_id ?? '')
  const account = ledger.accounts.get(row.connected_account_id ?? '')
  const at = instant(row.performed_at)
  const who = `${witness.places.get(row.campaign_id)}/${lead?.email}/${row.step} at ${row.performed_at}`
  const fail = (invariant: string, text: string): never => {
    throw new Violation(invariant, `${text} (${who})`)
  }
  const sender_id = isSocial ? row.connected_account_id : row.mailbox_id
  if (!campaign || !lead || !sender_id || !(isSocial ? account : mailbox))
    return fail('I7', 'a slot without its campaign, lead or sender')
  judgeOwner(ledger, row, [campaign, lead, mailbox, account], fail)

  const place = witness.places.get(row.campaign_id) ?? -1
  const { channel, step } = row
  const mine = {
    ...row,
    campaign: place,
    to: lead.email ?? '',
    from: '',
    lead: row.campaign_lead_id,
    taken: true,
  }
  if (witness.offers.some((offer) => offer.taken && sameStep(offer, mine)))
    fail('I1', 'claimed again although an offer of it was, or may have been, taken')
  if (old && old.status !== 'retry') fail('I1', `claimed again from ${old.status}`)
  if (old && !isSocial && localPart(old.message_id) !== localPart(row.message_id))
    fail('I1', 'a retry with another Message-ID')

  const timezone = campaign.schedule_timezone === 'lead' ? (lead.timezone ?? '') : campaign.timezone
  if (!timezone) fail('I2', 'by a clock that nobody knows')
  if (!windowDayOf({ ...campaign, timezone }, at)) fail('I2', `outside of window or send days in ${timezone}`)
  const windowDay = countedDayOf(campaign, at)
  if (!windowDay) return fail('I2', 'on no day')
  if (at > witness.now) fail('I2', 'performed in the future')

  if (isOver(lead.status)) fail('I5', `claimed after the lead was ${lead.status}`)
  if (listedSince(ledger, lead.workspace_id, lead.email).some((since) => since <= witness.began))
    fail('I5', 'claimed after its address was suppressed')
  const replied = repliedAfter(ledger, lead.workspace_id, lead.email)
  if (replied !== undefined && replied <= witness.began)
    fail('I11', 'claimed after its person had replied, maybe in another campaign')
  if (at < awayAfter(ledger, lead, witness.began)) fail('I17', 'claimed while its person was away')
  judgeContact(ledger, ledger.policy, lead, witness, { at, fail })
  judgeColleague(ledger, lead, witness, { at, fail })
  if (campaign.status !== 'active' && campaign.status !== 'draining')
    fail('I6', `claimed while the campaign was ${campaign.status}`)
  if (mailbox && campaign.alias_ids && !campaign.alias_ids.includes(mailbox.mailbox_id))
    fail('I6', 'claimed from a mailbox that the campaign does not name')

  const claim: Claim = {
    lead: row.campaign_lead_id,
    campaign_id: row.campaign_id,
    sender_id,
    channel,
    action_type: row.action_type,
    step,
    at,
    commits: witness.commits,
    window_day: windowDay,
    date: dateOf(zoneOf(ledger, lead.workspace_id), at),
    counts: true,
    offers: offersOf(row, witness),
    is_try: true,
  }
  judgeTry(ledger, claim, mailbox ?? account, fail)
  judgePace(ledger, claim, campaign, fail)
  if (mailbox) judgeWait(ledger, claim, mailbox, fail)
  if (mailbox) judgeMailbox(ledger, claim, mailbox, fail)
  if (mailbox) judgeReading(ledger, claim, mailbox, fail)
  judgeAccount(ledger, { claim, campaign, lead, account }, witness, fail)
  judgeOrder(ledger, changes, claim, campaign, witness, fail)
  ledger.claims.push(claim)
}

/** I3 and I4: counted from the known slots, not from the product's counters. */
function judgePace(ledger: Ledger, claim: Claim, campaign: CampaignRow, fail: Fail) {
  const mine = ledger.claims.filter((one) => one.campaign_id === claim.campaign_id)
  const today = mine.filter((one) => one.counts && countedDayOf(campaign, one.at) === claim.window_day)
  if (today.length >= campaign.daily_limit)
    fail('I3', `the campaign's limit is ${campaign.daily_limit} on ${claim.window_day}`)
  if (isNear(claim, mine, campaign.min_interval_seconds))
    fail('I4', `closer than ${campaign.min_interval_seconds} s`)
}

/** I14: a lead that was written to may have replied, so the mailbox must be read just before the next step is sent. */
function judgeReading(ledger: Ledger, claim: Claim, mailbox: MailboxRow, fail: Fail) {
  // A mailbox without IMAP is never read.
  if (mailbox.imap === null) return
  if (!ledger.claims.some((one) => one.lead === claim.lead && one.channel === 'email')) return
  const read = mailbox.inbox_polled_at && !mailbox.inbox_error ? instant(mailbox.inbox_polled_at) : null
  if (read === null || claim.at - read > FRESH_MS)
    fail('I14', `a follow-up although ${mailbox.address} was read at ${mailbox.inbox_polled_at}`)
}

function judgeMailbox(ledger: Ledger, claim: Claim, mailbox: MailboxRow, fail: Fail) {
  const from = ledger.claims.filter((one) => one.sender_id === claim.sender_id)
  const calendar = limitOn(mailbox, claim.date, zoneOf(ledger, mailbox.workspace_id))
  const limit = Math.min(calendar, decidedLimit(ledger, mailbox, claim.date) ?? calendar)
  if (from.filter((one) => one.counts && one.date === claim.date).length >= limit)
    fail('I3', `the limit of ${mailbox.address} is ${limit} on ${claim.date}`)
  if (isNear(claim, from, mailbox.min_interval_seconds))
    fail('I4', `closer than ${mailbox.min_interval_seconds} s from ${mailbox.address}`)
}

/** A chat message by the owner also takes a slot of the account, from the moment it is stored. */
function countChat(ledger: Ledger, { row, old }: Change & { kind: 'inbox_messages' }, witness: Witness) {
  if (row.direction !== 'out' || !row.connected_account_id) return
  const at = instant(row.at)
  if (!old)
    ledger.claims.push({
      lead: row.inbox_message_id,
      campaign_id: '',
      sender_id: row.connected_account_id,
      channel: 'social',
      action_type: 'message',
      step: 0,
      at,
      window_day: '',
      date: dateOf(zoneOf(ledger, row.workspace_id), at),
      counts: false,
      commits: witness.commits,
      offers: 0,
      // A message by hand neither waits for the next try of a failing account nor postpones it.
      is_try: false,
    })
  const left = row.delivery_status === 'sent' || row.delivery_status === 'uncertain'
  const claim = ledger.claims.find((one) => one.lead === row.inbox_message_id)
  if (claim && left) claim.counts = true
}

/** I8: the lead is past every earlier step, and the delay has passed since the last of them. */
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
  const mine = ledger.claims.filter((one) => one.lead === claim.lead && one.step < claim.step)
  const taken = mine.map((one) => one.step)
  for (let step = 1; step < claim.step; step++) {
    const { status, action_id = '', channel } = before(step) ?? {}
    // The owner may declare a step as not sent after the lead moved on.
    if (status === 'failed' && witness.words.has(action_id)) continue
    // A failed social step, such as a message that cannot be delivered, does not end the lead.
    if (status === 'failed' && channel === 'social') continue
    // A worker that was taken for dead reported the failure only after the lead had its next step, which was judged when it was claimed.
    if (status === 'failed' && taken.some((later) => later > step)) continue
    if (status !== 'sent' && status !== 'uncertain' && status !== 'skipped')
      fail('I8', `step ${step} is ${status ?? 'not begun'}`)
  }
  const since = claim.step === 1 ? campaign.launched_at : before(claim.step - 1)?.performed_at
  const delay = campaign.steps_config[claim.step - 1]?.delay_days
  if (delay === undefined || !since) return fail('I8', 'a step that the campaign does not have')
  // The delay was computed in the time zone that the lead had at the time.
  const clocks = [...(ledger.clocks.get(claim.lead) ?? [campaign.timezone])]
  if (claim.at < Math.min(...clocks.map((clock) => addDays(clock, instant(since), delay))))
    fail('I8', `before its delay of ${delay} days`)

  const sender = ledger.claims.findLast(
    (one) => one.lead === claim.lead && one.channel === claim.channel,
  )?.sender_id
  // A lead need not keep an account that was removed: a lead that is resumed continues from another one.
  const isGone = ledger.accounts.get(sender ?? '')?.status === 'deleted'
  if (sender && sender !== claim.sender_id && !isGone && !ledger.resent.has(claim.campaign_id))
    fail('I8', 'the lead changed its mailbox or account')
}

/** An action becomes uncertain only if the provider did not answer, or if its lease ran out. */
function judgeDoubt(row: ActionRow, old: ActionRow, witness: Witness) {
  const isOverdue = old.lease_until !== null && instant(old.lease_until) < witness.now
  const unsaid = witness.offers.some((offer) => isOf(offer, row) && offer.outcome.outcome === 'unknown')
  if (!isOverdue && !unsaid) throw new Violation('I7', `${row.action_id} was judged before its lease ran out`)
}

/** A lease that was renewed after it had run out is valid in its row only: its holder slept meanwhile. */
function keepLapsed({ lapsed }: Ledger, row: ActionRow, old: ActionRow | null, { now }: Witness) {
  if (row.status !== 'sending' || old?.status !== 'sending') lapsed.delete(row.action_id)
  else if (old.lease_until !== null && instant(old.lease_until) < now) lapsed.add(row.action_id)
}

const offersOf = (row: ActionRow, witness: Witness) =>
  witness.offers.filter((offer) => isOf(offer, row)).length

/** A network that asks an account to rest says when to try again: that does not count as a failed try. */
function wantsRest(row: ActionRow, witness: Witness): boolean {
  const { outcome } = witness.offers.findLast((offer) => isOf(offer, row)) ?? {}
  return outcome?.outcome === 'refused_for_now' && outcome.blames === 'sender'
}

function giveBack(ledger: Ledger, row: ActionRow, witness: Witness) {
  const claim = ledger.claims.findLast((one) => one.lead === row.campaign_lead_id && one.step === row.step)
  if (!claim) return
  claim.counts = false
  claim.is_try = offersOf(row, witness) > claim.offers && !wantsRest(row, witness)
}
