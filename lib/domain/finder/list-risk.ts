import type { EmailStatus } from '#lib/domain/finder/verdict'

export const LIST_RISKS = ['low', 'medium', 'high', 'unknown'] as const
export type ListRisk = (typeof LIST_RISKS)[number]

export type VerificationCounts = Record<EmailStatus | 'unverified', number>

/** The bounce rate above which providers throttle and block senders. */
const HIGH_INVALID = 0.05
const SOME_INVALID = 0.02
const MANY_RISKY = 0.2
/** With a smaller share of checked addresses, a list's quality is unknown. */
const ENOUGH_VERIFIED = 0.8

/** The risk of mailing a list as it is, with the reason in words. */
export function judgeList(counts: VerificationCounts): { risk: ListRisk; reason: string } {
  const looked = counts.valid + counts.invalid + counts.risky + counts.unknown
  const all = looked + counts.unverified
  if (all === 0) return { risk: 'unknown', reason: 'The list has no addresses.' }
  if (looked === 0) return { risk: 'unknown', reason: 'No address has been verified.' }
  const invalid = counts.invalid / looked
  const risky = counts.risky / looked
  if (invalid >= HIGH_INVALID)
    return { risk: 'high', reason: `${percent(invalid)} of the verified addresses would bounce.` }
  if (looked / all < ENOUGH_VERIFIED)
    return { risk: 'unknown', reason: `Only ${percent(looked / all)} of the addresses are verified.` }
  if (invalid >= SOME_INVALID)
    return { risk: 'medium', reason: `${percent(invalid)} of the verified addresses would bounce.` }
  if (risky >= MANY_RISKY) return { risk: 'medium', reason: `${percent(risky)} of the addresses are risky.` }
  if (counts.valid === 0)
    return { risk: 'unknown', reason: 'The domains accept mail, but it is unknown which mailboxes exist.' }
  return { risk: 'low', reason: 'Few addresses are known to be bad.' }
}

const percent = (share: number) =>
  share > 0 && share < 0.01 ? 'Less than 1 %' : `${Math.round(share * 100)} %`
