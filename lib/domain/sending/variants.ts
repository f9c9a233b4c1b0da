import { actionFraction, campaignSeed } from '#lib/domain/sending/action-hash'

/**
 * The index of the variant a lead gets in a step, chosen by weight; null if no variant has a positive weight.
 *
 * The choice is a hash of (campaign, lead, step), so a retry, a preview and a second worker agree. Weights
 * are relative to their sum, whatever it is; a variant of weight 0 is never chosen.
 */
export function chooseVariant(
  variants: readonly { weight: number }[],
  action: { campaign_id: string; lead_index: number; step: number },
): number | null {
  let total = 0
  for (const variant of variants) total += Math.max(0, variant.weight)
  if (total <= 0) return null

  const seed = campaignSeed(action.campaign_id)
  let rest = actionFraction(seed, 'variant', action.lead_index, action.step) * total
  let chosen: number | null = null
  for (const [index, variant] of variants.entries()) {
    if (variant.weight <= 0) continue
    chosen = index
    rest -= variant.weight
    if (rest < 0) break
  }
  return chosen
}
