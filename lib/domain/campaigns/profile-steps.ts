import { takesText } from '#lib/domain/campaigns/social-step'

type Step = {
  step: number
  channel: string
  action_type: string
  variants: readonly { label: string; sender_profile_id: string | null }[]
}

/**
 * The steps that are written as a profile, each with the labels of those of its variants that are; an empty label where it has
 * none. What names no profile is written as the default.
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
