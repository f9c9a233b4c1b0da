import { afterEach, expect, test } from 'vitest'
import { ReadMailboxHealth } from '#lib/contracts/senders/mailbox-health'
import { db, pool } from '#lib/db/client'
import { mailboxHealth } from '#lib/services/forecast/mailbox-health'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { bounceOf, replyTo } from '#tests/support/scenes/arrivals'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'

afterEach(async () => {
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})

test('30 days of what left, came back and was answered, and what leaves next', async () => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const other = await aMailbox(owner)
  await launchedFor(owner, { steps_config: [FIRST], alias_ids: [mailbox.mailbox_id] }, 5)
  let calls = 0
  const mail = memoryMail(async () => {
    calls += 1
    const refusal = { stage: 'rcpt', enhanced: null, blames: 'recipient' } as const
    if (calls === 1)
      return { outcome: 'refused_for_good', code: 550, response: '550 no such user', ...refusal }
    if (calls === 2) return { outcome: 'refused_for_now', code: 450, response: '450 later', ...refusal }
    return { outcome: 'accepted', response: '250', server_message_id: null }
  })
  const { outbox } = await dispatchAt(MONDAY, mail)
  const [, , third, fourth] = outbox
  if (!third || !fourth) throw new Error('five were offered')
  let uid = 0
  // Replies count for the mailbox that sent the mail, wherever they arrived.
  for (const raw of [replyTo(third), bounceOf(fourth, '5.1.1')])
    await handleInbound(
      pool(),
      other,
      {
        folder: 'INBOX',
        uid_validity: 1n,
        uid: ++uid,
        raw: new TextEncoder().encode(raw),
        size_bytes: raw.length,
        received_at: minutes(24 * 60),
      },
      minutes(24 * 60),
    )
  const later = minutes(24 * 60 + 1)
  const health = ReadMailboxHealth.response.parse(
    await mailboxHealth(owner.workspace_id, mailbox.mailbox_id, later),
  )
  expect(health.days).toHaveLength(30)
  expect(health.days.slice(-2)).toEqual([
    { date: '2026-03-02', sent: 3, bounced: 1, deferred: 1, replied: 0 },
    { date: '2026-03-03', sent: 0, bounced: 1, deferred: 0, replied: 1 },
  ])
  expect(health.total).toEqual({ sent: 3, bounced: 2, deferred: 1, replied: 1 })
  // The mail that was refused temporarily.
  expect(health.next_hours).toHaveLength(24)
  expect(health.next_hours.reduce((sum, { planned }) => sum + planned, 0)).toBe(1)

  const none = await mailboxHealth(owner.workspace_id, other.mailbox_id, later)
  expect(none.total).toEqual({ sent: 0, bounced: 0, deferred: 0, replied: 0 })
  await expect(mailboxHealth((await aUser()).workspace_id, mailbox.mailbox_id, later)).rejects.toMatchObject({
    code: 'mailbox_not_found',
  })
})
