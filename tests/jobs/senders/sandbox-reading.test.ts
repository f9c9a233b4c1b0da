import { expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { InboxCursor } from '#lib/providers/inbox/port'
import { readSandbox } from '#lib/providers/inbox/sandbox'
import { aMailbox, aUser } from '#tests/support/scenes/factories'

test('more mail within a moment than one reading takes is read to its end, each for the first time once', async () => {
  const { mailbox_id, address } = await aMailbox(await aUser())
  const count = 25
  for (let i = 0; i < count; i++)
    await db.sandboxMessage.create({
      data: {
        to_mailbox_id: mailbox_id,
        mail_from: 'ada@acme.example',
        rcpt_to: address,
        subject: `Mail ${i}`,
        raw: Buffer.from(`Subject: Mail ${i}\r\n\r\nHello\r\n`),
        from_address: 'ada@acme.example',
      },
    })
  const kept = new Set<number | bigint>()
  let cursor: InboxCursor | null = null
  const reading = {
    findCursor: () => cursor,
    findKept: async () => new Set<number>(),
    findLatest: async () => null,
    refuse: async () => false,
    since: new Date(0),
    limit: 10,
    keep: async (mails: { uid: number | bigint }[]) => {
      for (const { uid } of mails) kept.add(uid)
    },
    advance: async (_folder: string, next: InboxCursor) => {
      expect(next.last_uid).toBeGreaterThan(cursor?.last_uid ?? 0)
      cursor = next
    },
  }
  const said = []
  for (let turn = 0; turn < 4; turn++) said.push((await readSandbox(pool(), mailbox_id, reading)).more)
  expect(kept.size).toBe(count)
  expect(said).toEqual([true, true, false, false])
})
