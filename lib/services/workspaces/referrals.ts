import { randomInt } from 'node:crypto'
import { db } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'

/** Without characters that are easily confused. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const LENGTH = 10
/** API keys that referrals may add to the tier's number. */
const MOST_EXTRA = 10

const newCode = () => Array.from({ length: LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')

export async function readReferral({ workspace_id, user_id: userId }: Maker) {
  // Created once: of two concurrent first requests the second finds the first one's code.
  await db.user.updateMany({
    where: { user_id: userId, referral_code: null },
    data: { referral_code: newCode() },
  })
  const user = await db.user.findUniqueOrThrow({
    where: { user_id: userId },
    select: {
      referral_code: true,
      referred_by: true,
      _count: { select: { referrals: true } },
    },
  })
  const { extra_api_keys } = await db.workspace.findUniqueOrThrow({ where: { workspace_id } })
  return {
    referral_code: user.referral_code ?? '',
    referred_count: user._count.referrals,
    extra_api_keys,
    has_applied: user.referred_by !== null,
  }
}

/**
 * Applies a referral code and returns whether it was applied: once per account, never one's own, and never that of somebody one has
 * referred.
 */
export async function applyReferral(
  { workspace_id, user_id: userId }: Maker,
  code: string,
): Promise<{ applied: boolean }> {
  const applied = await db.$transaction(async (tx) => {
    const referrer = await tx.user.findUnique({
      where: { referral_code: code.trim().toLowerCase() },
      select: { user_id: true },
    })
    if (!referrer || referrer.user_id === userId) return false
    const both = [userId, referrer.user_id]
    // Locked in one order, so that two people who refer each other at once are serialized.
    await tx.$queryRaw`SELECT 1 FROM users WHERE user_id = ANY (${both}::uuid[]) ORDER BY user_id FOR UPDATE`
    const standing = await tx.referral.count({
      where: { OR: [{ user_id: userId }, { user_id: referrer.user_id, referrer_id: userId }] },
    })
    if (standing > 0) return false
    await tx.referral.create({ data: { user_id: userId, referrer_id: referrer.user_id } })
    const theirs = await tx.member.findFirst({
      where: { user_id: referrer.user_id },
      orderBy: [{ created_at: 'asc' }, { workspace_id: 'asc' }],
    })
    const workspaceIds = [workspace_id, ...(theirs ? [theirs.workspace_id] : [])]
    await tx.workspace.updateMany({
      where: { workspace_id: { in: workspaceIds }, extra_api_keys: { lt: MOST_EXTRA } },
      data: { extra_api_keys: { increment: 1 } },
    })
    return true
  })
  return { applied }
}
