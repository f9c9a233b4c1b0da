import { takesText } from '#lib/domain/campaigns/social-step'

type Step = {
  step: number
  channel: string
  action_type: string
  variants: readonly { label: string; sender_profile_id: string | null }[]
}

/**
 * The steps written as a profile, each with the labels of its variants that are; a step without variants has an empty label. A
 * step or variant that names no profile uses the default one.
 */
export function profileSteps(
  steps: readonly Step[],
  profile: { id: string; is_default: boolean },
): { step: number; labels: string[] }[] {
  return steps.flatMap(({ step, channel, action_type, variants }) => {
    if (channel !== 'email' && !takesText(action_type)) return []
    const bare = variants.length === 0 && profile.is_default ? [''] : []
    const named = variants
      .filter(({ sender_profile_id }) =>
        sender_profile_id === null ? profile.is_default : sender_profile_id === profile.id,
      )
      .map(({ label }) => label)
    const labels = [...bare, ...named]
    return labels.length > 0 ? [{ step, labels }] : []
  })
}
