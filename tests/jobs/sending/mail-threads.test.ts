import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { launchedSocial, MESSAGE } from '#tests/support/scenes/launched-social'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const DAY = 24 * 60

test('a mail after a message on the network goes on from the mail before it, and names nothing but mails', async () => {
  const social = memorySocial()
  social.relations.set('id-ada', 'connected')
  const mail = memoryMail()
  const { campaign_id } = await launchedSocial({
    steps_config: [FIRST, { ...MESSAGE, delay_days: 1 }, SECOND],
  })
  for (const day of [0, 1, 2, 3])
    await dispatchDue({ mail: mail.provider, social: social.drivers, clock: () => minutes(day * (DAY + 5)) })
  expect(social.done.map(({ action }) => action.action_type)).toEqual(['message'])
  const [first, second] = mail.outbox
  expect(mail.outbox).toHaveLength(2)
  expect(second).toMatchObject({ in_reply_to: first?.message_id, references: [first?.message_id] })
  const said = await db.action.findFirstOrThrow({ where: { campaign_id, step: 2 } })
  expect(said.message_id).toMatch(/^message-/)
})

test('a follow-up names the Message-ID under which the mail before it was received', async () => {
  const mail = memoryMail()
  const { campaign_id } = await launched({}, 1)
  await dispatchDue({ mail: mail.provider, clock: () => MONDAY })
  const server_message_id = '<put-in-its-place@server.test>'
  await db.action.updateMany({ where: { campaign_id }, data: { server_message_id } })
  await dispatchDue({ mail: mail.provider, clock: () => minutes(DAY + 5) })
  expect(mail.outbox[1]).toMatchObject({ in_reply_to: server_message_id, references: [server_message_id] })
})
