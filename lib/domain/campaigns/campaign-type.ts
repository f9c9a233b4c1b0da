import type { Channel } from '#lib/domain/campaigns/step-conditions'

export const CAMPAIGN_TYPES = ['email', 'social', 'mixed'] as const
export type CampaignType = (typeof CAMPAIGN_TYPES)[number]

/** Whether a campaign may have steps of a channel. */
export const holds = (type: CampaignType, channel: Channel): boolean => type === 'mixed' || type === channel

/** Indexes of the steps that a campaign of this type may not have. */
export const disallowedSteps = (type: CampaignType, steps: readonly { channel: Channel }[]): number[] =>
  steps.flatMap(({ channel }, index) => (holds(type, channel) ? [] : [index]))

/** The action of a step. The channel decides: an email step sends an email whatever its action_type says. */
export const stepAction = <T extends string>({
  channel,
  action_type,
}: {
  channel: Channel
  action_type: T
}): T | 'email' => (channel === 'email' ? 'email' : action_type)

/** Steps with the actions that they perform. */
export const asPerformed = <T extends string, S extends { channel: Channel; action_type: T }>(
  steps: readonly S[],
): S[] => steps.map((step) => ({ ...step, action_type: stepAction(step) as S['action_type'] }))
