import type { StepConfig, Variant } from '#lib/contracts/campaigns/steps'
import { needsText, takesText, textObstacle } from '#lib/domain/campaigns/social-step'
import { isHtml } from '#lib/domain/messages/html'
import { htmlToText } from '#lib/domain/messages/html-to-text'
import { headerText, renderText } from '#lib/domain/messages/message'
import type { PlannedAction } from '#lib/domain/sending/dispatch-policy'
import { inlineText } from '#lib/services/messages/step-texts'
import type { AccountRow } from '#lib/services/senders/accounts/account-rows'
import {
  type Composable,
  type Composed,
  choiceFor,
  chooseLeadVariant,
  type Texts,
} from '#lib/services/sending/compose'
import type { WaitingLead } from '#lib/services/sending/load'

/** The fields of a lead that its text depends on. */
type Addressee = Pick<WaitingLead, 'campaign_lead_id' | 'lead_index' | 'email' | 'data'>

export type PlannedSocial<Lead extends Addressee = WaitingLead> = PlannedAction & {
  action_id: string
  lead: Lead
  account: AccountRow
  variant_label?: string | null
}

export type SocialComposed<Lead extends Addressee = WaitingLead> = PlannedSocial<Lead> & {
  config: StepConfig
  variant: Variant | null
  subject: string | null
  /** Null for actions without a text. */
  text: string | null
  mail: null
  mailbox: null
  problem: string | null
  /** Why this lead must wait: its AI text is not approved as it stands. */
  held?: string
}

/** One claimed action: a mail or a social action. */
export type Claimed = Composed | SocialComposed

/** Composes a social step's text exactly as it is sent. Previews use this function too. */
export function composeSocial<Lead extends Addressee>(
  campaign: Composable,
  planned: PlannedSocial<Lead>,
  texts: Texts,
): SocialComposed<Lead> {
  const config = campaign.steps_config[planned.step - 1]
  if (!config) throw new Error(`the campaign has no step ${planned.step}`)
  const variant = chooseLeadVariant(campaign, planned)
  const made = { ...planned, config, variant, subject: null, text: null, mail: null, mailbox: null }
  const { action_type } = config
  if (!takesText(action_type)) return { ...made, problem: null }
  const { lead, account, step } = planned
  const data = { ...lead.data, ...(lead.email ? { email: lead.email } : {}) }
  const choice = choiceFor(campaign, { config, variant, lead_index: lead.lead_index, data }, texts)
  if (choice.use === 'held') return { ...made, problem: choice.reason, held: choice.reason }
  if (choice.use === 'approved') {
    // An approved text is used unchanged.
    const { subject, body: text } = choice.text
    const title = action_type === 'inmail' && subject?.trim() ? headerText(subject) : null
    const said = { subject: title, text }
    return { ...made, ...said, problem: textObstacle(action_type, said, account) }
  }
  const template = variant?.template_id
    ? (texts.templates.get(variant.template_id) ?? null)
    : inlineText(config, variant)
  if (!template?.body.trim())
    return {
      ...made,
      problem:
        needsText(action_type) || variant?.template_id ? 'The text of this step no longer exists.' : null,
    }

  const profile = variant?.sender_profile_id ?? texts.default_profile
  const words = (source: string) =>
    renderText({
      template: source,
      lead: data,
      sender: { name: account.name, ...(profile ? texts.profiles.get(profile) : {}) },
      seed: `${campaign.campaign_id}:${lead.lead_index}:${step}`,
      clock: { now: new Date(planned.at), timezone: campaign.timezone },
    })
  const body = words(template.body)
  const subject = action_type === 'inmail' && template.subject?.trim() ? words(template.subject) : null
  const problems = [body, subject].flatMap((part) => (part && !part.ok ? part.problems : []))
  if (!body.ok || (subject && !subject.ok))
    return { ...made, problem: problems.map((problem) => problem.message).join(' ') }
  // Templates are shared with mail, and a chat shows no markup.
  const text = isHtml(template.body) ? htmlToText(body.text) : body.text
  const said = { subject: subject && headerText(subject.text), text }
  return { ...made, ...said, problem: textObstacle(action_type, said, account) }
}
