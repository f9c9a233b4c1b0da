import type { z } from 'zod'
import { ContactPolicy, type UpdateContactPolicy } from '#lib/contracts/workspaces/contact-policy'
import { db } from '#lib/db/client'
import type { Maker } from '#lib/domain/workspaces/maker'
import { edit } from '#lib/services/instance/versioned-edit'

const POLICY = {
  workspace_id: true,
  after_reply: true,
  one_campaign_at_a_time: true,
  company_max_active: true,
  rest_days: true,
  colleague_reply_days: true,
  version: true,
} as const

export async function getContactPolicy({ workspace_id, user_id }: Maker) {
  const policy = await db.workspace.findUniqueOrThrow({ where: { workspace_id }, select: POLICY })
  return { ...policy, user_id }
}

export async function updateContactPolicy(
  user: Maker,
  { version, ...data }: z.output<typeof UpdateContactPolicy.body>,
) {
  const { workspace_id, user_id } = user
  const policy = await edit({
    table: 'workspaces',
    key: { workspace_id },
    version,
    missing: 'account_not_found',
    current: async () => ContactPolicy.parse(await getContactPolicy(user)),
    write: (tx) => tx.workspace.update({ where: { workspace_id }, data, select: POLICY }),
  })
  return { ...policy, user_id }
}
