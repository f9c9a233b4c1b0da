import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { uuidv7 } from '#lib/db/uuid'
import { loadZone, moveDays } from '#lib/domain/calendar/zoned-time'
import type { Forecast } from '#lib/domain/forecast/forecast'
import { renderLiquid } from '#lib/domain/messages/liquid'
import { toMessageId } from '#lib/domain/messages/mail-message'
import { followUpSubject } from '#lib/domain/messages/message'
import { drawFate, type Fate } from '#lib/domain/sandbox/history/fates'
import { type InventedPerson, inventPerson } from '#lib/domain/sandbox/history/people'
import { HISTORY_TEXTS } from '#lib/domain/sandbox/history/words'
import { chooseVariant } from '#lib/domain/sending/variants'

/** The properties of a simulated campaign that its past depends on. */
export type PlayedCampaign = {
  campaign_id: string
  timezone: string
  steps_config: StepConfig[]
  /** Its leads are the invented people from this index on, in order. */
  first_person: number
  launched_at: number
  from_address: string
}

export type PlayedMail = {
  action_id: string
  step: number
  at: number
  variant: number | null
  message_id: string
  subject: string
  body: string
}

export type PlayedLead = {
  campaign_lead_id: string
  lead_index: number
  person: InventedPerson
  mails: PlayedMail[]
  /** The person's reaction and its time; null while there is none. */
  came: { fate: Fate; at: number } | null
  /** The lead has ended, by a reaction or by its last step. */
  is_over: boolean
  /** When the step after the last sent one is due. */
  due_at: number
}

/**
 * Simulates what the campaign did until `now` if all went by its plan, and how its people reacted: variants, windows and limits are those
 * of the plan, and after an answer nothing more was sent.
 */
export function playLeads(
  campaign: PlayedCampaign,
  plan: Forecast,
  leads: number,
  now: number,
): PlayedLead[] {
  const zone = loadZone(campaign.timezone)
  const played = Array.from(
    { length: leads },
    (_, lead_index): PlayedLead => ({
      campaign_lead_id: uuidv7(new Date(campaign.launched_at)),
      lead_index,
      person: inventPerson(campaign.first_person + lead_index),
      mails: [],
      came: null,
      is_over: false,
      due_at: campaign.launched_at,
    }),
  )
  for (let index = 0; index < plan.total_actions; index++) {
    const at = plan.at[index] ?? now
    const lead = played[plan.lead_index[index] ?? -1]
    const step = campaign.steps_config[(plan.step[index] ?? 0) - 1]
    if (at > now || !lead || !step || (lead.came && lead.came.fate.ended !== 'away')) continue
    lead.mails.push(writeMail(campaign, lead, step, at))
    const next = campaign.steps_config[step.step]
    lead.due_at = moveDays(zone, at, next?.delay_days ?? 0)
    const fate = drawFate(lead.lead_index)
    if (fate?.step === step.step && at + fate.after_ms <= now) lead.came = { fate, at: at + fate.after_ms }
    lead.is_over = !next || (lead.came !== null && lead.came.fate.ended !== 'away')
  }
  return played
}

function writeMail(campaign: PlayedCampaign, lead: PlayedLead, step: StepConfig, at: number): PlayedMail {
  const action_id = uuidv7(new Date(at))
  const variant = chooseVariant(step.variants, { ...campaign, lead_index: lead.lead_index, step: step.step })
  const text = variant === null ? null : HISTORY_TEXTS[variant]?.content
  const first = lead.mails[0]
  return {
    action_id,
    step: step.step,
    at,
    variant,
    message_id: toMessageId(action_id, campaign.from_address),
    subject: followUpSubject(text ? words(text.subject, lead.person) : null, first?.subject) ?? '',
    body: words(text?.body ?? step.message_template ?? '', lead.person),
  }
}

function words(template: string, person: InventedPerson): string {
  const rendered = renderLiquid(template, 'text', person)
  if (!rendered.ok) throw new Error(rendered.failure.message)
  return rendered.text
}
