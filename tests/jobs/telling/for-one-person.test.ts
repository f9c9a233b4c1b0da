import { expect, test } from 'vitest'
import { UpdateNotificationPreferences } from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { instance, later } from '#tests/support/scenes/notifications'
import { aMember } from '#tests/support/scenes/team'

const assigned = ({ workspace_id, user_id }: { workspace_id: string; user_id: string }, thread_id: string) =>
  db.notification.create({
    data: {
      workspace_id,
      user_id,
      kind: 'assigned',
      data: { email: 'ada@acme.example', by: 'Dana', thread_id },
    },
  })

test('what is for one person is mailed to them alone, unless they do not want it in this workspace', async () => {
  const owner = await aUser()
  const [ana, ben] = [await aMember(owner, 'member'), await aMember(owner, 'member')]
  const thread_id = crypto.randomUUID()
  await assigned(ana, thread_id)
  await assigned(ben, thread_id)
  await call(UpdateNotificationPreferences, { as: ben, body: { notify_on_assignment: false } })
  const { outbox, notify } = instance()
  expect(await notify(later(0))).toBe(1)
  expect(outbox.map(({ to, subject }) => [to.address, subject])).toEqual([
    [ana.email, 'Dana assigned you a conversation (ada@acme.example)'],
  ])
  expect(outbox[0]?.text).toContain(`/inbox/${thread_id}?folder=all`)
})
