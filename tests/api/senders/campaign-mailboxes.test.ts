import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { loadMailboxes } from '../../../app/(dashboard)/campaigns/[campaign_id]/mailboxes.ts'

test('the forms of a campaign know each mailbox that it names, however many came since', async () => {
  const owner = await aUser()
  const [named, foreign] = [await aMailbox(owner), await aMailbox(await aUser())]
  const row = await db.mailbox.findUniqueOrThrow({ where: { mailbox_id: named.mailbox_id } })
  await db.mailbox.createMany({
    data: Array.from({ length: 1_000 }, (_, nth) => ({
      workspace_id: owner.workspace_id,
      smtp: row.smtp ?? {},
      address: `m${nth}@${owner.workspace_id}.example`,
      created_at: new Date(row.created_at.getTime() + 1_000),
    })),
  })
  const alias_ids = [named.mailbox_id, foreign.mailbox_id]
  const listed = await loadMailboxes({ workspace_id: owner.workspace_id, alias_ids }, new Date())
  expect(listed).toHaveLength(1_001)
  expect(listed.filter(({ mailbox_id }) => alias_ids.includes(mailbox_id))).toMatchObject([
    { address: named.address },
  ])
})
