import type { ContactRules } from '#lib/domain/sending/contact-hold'
import { type ActionRow, colleaguesAfter, type LeadRow, type Ledger } from '#tests/simulation/checks/ledger'
import { type Fail, instant, type Witness } from '#tests/simulation/checks/witness'

const DAY_MS = 86_400_000

const isTaken = ({ status }: ActionRow) => status !== 'failed' && status !== 'skipped'
const domainOf = (email: string | null) => email?.split('@')[1]

/** I19: nobody at a company is written to within the configured days of a colleague's reply, whatever step they are at. */
export function judgeColleague(
  ledger: Ledger,
  lead: LeadRow,
  { began }: Pick<Witness, 'began'>,
  claim: { at: number; fail: Fail },
): void {
  const days = ledger.policy.colleague_reply_days
  const replies = colleaguesAfter(ledger, lead, began)
  if (replies.some(({ at }) => at <= claim.at && at + days * DAY_MS > claim.at))
    claim.fail('I19', `written to within ${days} days of a colleague's reply`)
}

/**
 * I18: no campaign starts with a person while another campaign of the workspace has them, within their days of rest, or when
 * the company has as many active people as allowed. Leads that were resumed after the transaction began are not counted: it could not see
 * them.
 */
export function judgeContact(
  ledger: Ledger,
  policy: ContactRules,
  lead: LeadRow,
  { began }: Pick<Witness, 'began'>,
  claim: { at: number; fail: Fail },
): void {
  if (lead.email === null) return
  const taken = [...ledger.actions.values()].filter(
    (action) => action.workspace_id === lead.workspace_id && isTaken(action),
  )
  if (taken.some((action) => action.campaign_lead_id === lead.campaign_lead_id)) return
  const leadOf = (action: ActionRow) => ledger.leads.get(action.campaign_lead_id)
  const isUnderWay = (action: ActionRow) => {
    const one = leadOf(action)
    return one?.status === 'active' && (ledger.resumed.get(one.campaign_lead_id) ?? -1) < began
  }
  const elsewhere = taken.filter(
    (action) => action.campaign_id !== lead.campaign_id && leadOf(action)?.email === lead.email,
  )
  if (policy.one_campaign_at_a_time && elsewhere.some(isUnderWay))
    claim.fail('I18', 'begun while another campaign has the person')
  const rest = policy.rest_days * DAY_MS
  if (elsewhere.some((action) => instant(action.performed_at) + rest > claim.at))
    claim.fail('I18', `begun within ${policy.rest_days} days of rest`)
  // A person who is already in progress counts among the company's people: starting them elsewhere adds nobody.
  if (policy.company_max_active === null || elsewhere.some(isUnderWay)) return
  const colleagues = taken.filter(
    (action) =>
      domainOf(leadOf(action)?.email ?? null) === domainOf(lead.email) &&
      leadOf(action)?.email !== lead.email &&
      isUnderWay(action),
  )
  const people = new Set(colleagues.map((action) => leadOf(action)?.email))
  if (people.size >= policy.company_max_active)
    claim.fail('I18', `begun beside ${people.size} people of the company`)
}
