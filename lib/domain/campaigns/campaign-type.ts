import type { Channel } from '#lib/domain/campaigns/step-conditions'

export const CAMPAIGN_TYPES = ['email', 'social', 'mixed'] as const
export type CampaignType = (typeof CAMPAIGN_TYPES)[number]

/** Whether a campaign may hold steps of a channel. */
export const holds = (type: CampaignType, channel: Channel): boolean => type === 'mixed' || type === channel

/** Places of the steps that a campaign of this type may not hold. */
export const disallowedSteps = (type: CampaignType, steps: readonly { channel: Channel }[]): number[] =>
  steps.flatMap(({ channel }, index) => (holds(type, channel) ? [] : [index]))

/** What a step does: the channel decides, so one of mail sends a mail whatever its action_type says. */
export const stepAction = <T extends string>({
  channel,
  action_type,
}: {
  channel: Channel
  action_type: T
}): T | 'email' => (channel === 'email' ? 'email' : action_type)

/** Steps as they are performed. */
export const asPerformed = <T extends string, S extends { channel: Channel; action_type: T }>(
  steps: readonly S[],
): S[] => steps.map((step) => ({ ...step, action_type: stepAction(step) as S['action_type'] }))
