import { db } from '#lib/db/client'

/** True while a campaign that may still send names this template or profile in one of its variants. */
export async function campaignNaming(
  userId: string,
  key: 'template_id' | 'sender_profile_id',
  id: string,
): Promise<boolean> {
  const named = JSON.stringify([{ variants: [{ [key]: id }] }])
  const rows = await db.$queryRaw<unknown[]>`
    SELECT 1 FROM campaigns
    WHERE user_id = ${userId}::uuid AND status NOT IN ('draft', 'completed', 'failed')
      AND steps_config @> ${named}::jsonb
    LIMIT 1`
  return rows.length > 0
}
