import { actionFraction, campaignSeed } from '#lib/domain/sending/action-hash'

/**
 * The index of the variant that a lead gets in a step, by weight; null when there is none with a positive weight.
 *
 * It is a hash of (campaign, lead, step), so a retry, a preview and a second worker all come to the same answer. The
 * weights count relative to their own sum, whatever it is; a weight of 0 is never chosen.
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
