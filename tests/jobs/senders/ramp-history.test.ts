import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { accountRampHistory, mailboxRampHistory } from '#lib/services/senders/ramp/ramp-history'
import { aMailbox, anAccount, aUser } from '#tests/support/scenes/factories'

const NOW = new Date('2026-11-21T12:30:00Z')
const STARTED = new Date('2026-11-18T09:00:00Z')
const sent = (sender_id: string, date: string, used: number, action_type = 'email') =>
  db.senderDay.create({ data: { sender_id, local_date: new Date(date), action_type, used } })

test('the days of a ramp-up before today say what it allowed and what left', async () => {
  const owner = await aUser()
  const { mailbox_id } = await aMailbox(owner, { daily_limit: 8 })
  expect(await mailboxRampHistory(owner.workspace_id, mailbox_id, NOW)).toEqual([])

  await db.mailbox.update({
    where: { mailbox_id },
    data: { ramp_up: { start: 5, increase_per_day: 2 }, ramp_up_started_at: STARTED },
  })
  await sent(mailbox_id, '2026-11-18', 5)
  await sent(mailbox_id, '2026-11-20', 3)
  // Today and the days before the ramp are not part of its history.
  await sent(mailbox_id, '2026-11-21', 4)
  await sent(mailbox_id, '2026-11-10', 9)
  const days = [
    { date: '2026-11-18', limit: 5, used: 5 },
    { date: '2026-11-19', limit: 7, used: 0 },
    { date: '2026-11-20', limit: 8, used: 3 },
  ]
  expect(await mailboxRampHistory(owner.workspace_id, mailbox_id, NOW)).toEqual(days)
  const stranger = await aUser()
  expect(await mailboxRampHistory(stranger.workspace_id, mailbox_id, NOW)).toEqual([])
})

test('an account’s ramp-up counts all its actions, on the days of its owner’s zone', async () => {
  const owner = await aUser()
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { timezone: 'Pacific/Auckland' },
  })
  const { account_id } = await anAccount(owner, {
    ramp_up: { start: 1, increase_per_day: 1 },
    // The 20th in that time zone.
    ramp_up_started_at: new Date('2026-11-19T12:00:00Z'),
  })
  await sent(account_id, '2026-11-20', 1, 'message')
  await sent(account_id, '2026-11-20', 2, 'follow')
  const { workspace_id } = owner
  expect(await accountRampHistory(workspace_id, account_id, NOW)).toEqual([
    { date: '2026-11-20', limit: 1, used: 3 },
    { date: '2026-11-21', limit: 2, used: 0 },
  ])
})
