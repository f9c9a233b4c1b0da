import {
  type AccountRow,
  type CampaignRow,
  type Claim,
  type LeadRow,
  type Ledger,
  personOf,
} from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'
import { type Fail, isNear, limitOn, type Witness } from '#tests/simulation/checks/witness'
import { zoneOf } from '#tests/simulation/checks/zones'
import { daysBetween } from '#tests/simulation/worlds/calendar'
import type { Offer } from '#tests/simulation/worlds/provider'
import { standing } from '#tests/simulation/worlds/social-network'

type Judged = { claim: Claim; campaign: CampaignRow; lead: LeadRow; account: AccountRow | undefined }

/** What accounts and people must meet at the moment a slot is taken. */
export function judgeAccount(ledger: Ledger, judged: Judged, witness: Witness, fail: Fail): void {
  const { claim, campaign, lead, account } = judged
  judgeCondition(ledger, judged, witness, fail)
  if (claim.channel !== 'social') {
    if (!lead.email) fail('I8', 'a mail to a lead without an address')
    return
  }
  if (!account) return
  if (account.status === 'disconnected') fail('I6', 'claimed from an account that was signed out')
  if (campaign.connected_account_id && campaign.connected_account_id !== account.account_id)
    fail('I6', 'claimed from an account that the campaign does not name')
  if (!lead.social_profile || lead.social_problem) fail('I8', 'a social step for a lead without a profile')
  if (account.rest_until && Date.parse(account.rest_until) > claim.at)
    fail('I4', `${account.name} was asked to rest until ${account.rest_until}`)
  judgeCaps(ledger, claim, account, fail)
}

/** I3 and I4, from the known slots: per action type and date, per any seven dates, per ramp, and between any two actions. */
function judgeCaps(ledger: Ledger, claim: Claim, account: AccountRow, fail: Fail) {
  const from = ledger.claims.filter((one) => one.sender_id === account.account_id)
  const counted = from.filter((one) => one.counts)
  const today = counted.filter((one) => one.date === claim.date)
  const ofType = counted.filter((one) => one.action_type === claim.action_type)
  const week = ofType.filter((one) => daysBetween(one.date, claim.date) < 7)
  const cap = account.limits[claim.action_type]
  const room = (most: number | null | undefined, used: number, what: string) => {
    if (most != null && used >= most)
      fail('I3', `${account.name} may take ${most} of ${claim.action_type} ${what}`)
  }
  room(cap?.day, today.filter((one) => one.action_type === claim.action_type).length, `on ${claim.date}`)
  room(cap?.week, week.length, `in the seven days to ${claim.date}`)
  const ramp = limitOn(
    { ...account, daily_limit: Number.POSITIVE_INFINITY },
    claim.date,
    zoneOf(ledger, account.workspace_id),
  )
  if (today.length >= ramp) fail('I3', `the ramp of ${account.name} allows ${ramp} on ${claim.date}`)
  if (isNear(claim, from, account.min_interval_seconds))
    fail('I4', `closer than ${account.min_interval_seconds} s from ${account.name}`)
}

/** I8: the relation that was known before the transaction began. Where none was known, the offer is judged instead. */
function judgeCondition(ledger: Ledger, { claim, campaign, lead }: Judged, { began }: Witness, fail: Fail) {
  const condition = campaign.steps_config[claim.step - 1]?.condition
  const known = lead.connected_account_id
    ? personOf(ledger, lead.connected_account_id, lead.social_provider_id)
    : null
  const relation = known && known.since <= began ? known.relation : null
  const isMail = claim.channel === 'email'
  if (condition === 'not_connected' && relation === 'connected')
    fail('I8', 'for those not connected, claimed although they were known to be')
  if (condition === 'connected' && relation !== 'connected' && (isMail || relation !== null))
    fail('I8', `for connections only, claimed although known as ${relation ?? 'nobody yet'}`)
}

/** When the network gets an offer: the ledger names the action, the account and the person, and their relation permits it. */
export function judgeSocialOffer(ledger: Ledger, offer: Offer, witness: Witness): void {
  const action = ledger.actions.get(offer.action_id ?? '')
  const fail: Fail = (invariant, text) => {
    throw new Violation(invariant, `${text}: ${offer.from} to ${offer.to}, step ${offer.step}`)
  }
  if (!action) throw new Violation('I7', `a social action without a ledger row to ${offer.to}`)
  const lead = ledger.leads.get(action.campaign_lead_id)
  const account = ledger.accounts.get(action.connected_account_id ?? '')
  const config = ledger.campaigns.get(action.campaign_id)?.steps_config[action.step - 1]
  const claim = ledger.claims.findLast((one) => one.lead === offer.lead && one.step === action.step)
  if (account?.provider_account_id !== offer.from) fail('I7', 'the ledger names another account')
  if (!lead?.social_profile?.includes(offer.to.replace(/^id-/, '')))
    fail('I7', `the ledger names ${lead?.social_profile}`)
  if (offer.step !== action.step) fail('I8', `the ledger says step ${action.step}`)
  if (witness.places.get(action.campaign_id) !== offer.campaign) fail('I7', 'a text of another campaign')
  const { relation, chat_id } = standing(witness.network, offer.from, offer.to)
  const isConnected = relation === 'connected'
  if (action.action_type === 'message' && !isConnected && !chat_id) fail('I8', 'a message to a stranger')
  if (action.action_type === 'endorse' && !isConnected) fail('I8', 'a stranger endorsed')
  if (config?.condition === 'connected' && !isConnected) fail('I8', 'for connections only')
  const known = personOf(ledger, account?.account_id ?? '', offer.to)
  const before = known && claim && known.since < claim.commits ? known.relation : null
  if (action.action_type === 'connection_request' && before !== null && before !== 'none')
    fail('I8', `invited although known as ${before}`)
  if (action.action_type === 'withdraw_invitation' && before === 'none') fail('I8', 'nothing to withdraw')
  if (config?.condition === 'not_connected' && before === 'connected') fail('I8', 'for those not connected')
}
