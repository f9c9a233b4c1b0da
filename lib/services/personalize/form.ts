import { pool } from '#lib/db/client'
import { takesText, textRoom } from '#lib/domain/campaigns/social-step'
import { invalid } from '#lib/errors'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { campaignNetwork } from '#lib/services/leads/channels'
import { type ActsFrom, connectedAccounts } from '#lib/services/senders/accounts/account-rows'

/** The form of a social step's texts and their maximum length; mail has none. */
export type Form = {
  action_type: string
  /** The most characters that every account of the campaign may send. */
  longest: number
  has_subject: boolean
  /** The sender's name, if it is certain. */
  sender_name: string | null
}

type Step = { step: number; channel: string; action_type: string }

/** Null for mail, and for texts without a campaign. 422 for a step without text. */
export async function formOfStep(campaign: ActsFrom, step: Step | null | undefined): Promise<Form | null> {
  if (step?.channel !== 'social') return null
  const { action_type } = step
  if (!takesText(action_type))
    throw invalid(['body', 'step'], 'is empty, so there is nothing to write', 'unknown_reference')
  const accounts = await connectedAccounts(pool(), campaign)
  const kinds = accounts.length > 0 ? accounts : [{ provider: await campaignNetwork(campaign), kind: 'free' }]
  return {
    action_type,
    longest: Math.min(...kinds.map((account) => textRoom(action_type, account) ?? 0)),
    has_subject: action_type === 'inmail',
    sender_name: accounts.length === 1 ? (accounts[0]?.name ?? null) : null,
  }
}

/** The form for a run, from the campaign's current step, which may have changed since the run began. */
export async function formOfRun(run: {
  workspace_id: string
  campaign_id: string | null
  step: number | null
}): Promise<Form | null> {
  if (run.campaign_id === null || run.step === null) return null
  const campaign = await getCampaign(run.workspace_id, run.campaign_id)
  const step = campaign.steps_config[run.step - 1]
  return step?.channel === 'social' && takesText(step.action_type) ? formOfStep(campaign, step) : null
}

/** Why a text cannot be approved; null if it can. A text that the network would refuse is never approvable. */
export function lengthObstacle(form: Form | null, body: string | null): string | null {
  const length = body?.length ?? 0
  return form && length > form.longest
    ? `The text has ${length} characters. This campaign’s accounts can send at most ${form.longest}.`
    : null
}
