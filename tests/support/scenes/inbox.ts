import { afterAll } from 'vitest'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { db } from '#lib/db/client'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { call } from '#tests/support/call'
import { arrive, replyTo } from '#tests/support/scenes/arrivals'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { createSmtpSink } from '#tests/support/servers/smtp'

process.env.ALLOW_PRIVATE_HOSTS = '1'
export const sink = await createSmtpSink()
afterAll(async () => {
  await closeMailProvider()
  await sink.close()
})

/** A campaign of two steps whose first step was sent to two leads; the first of them replied. */
export async function answered(text = 'Yes, call me.', headers = '') {
  const made = await launched({ steps_config: [FIRST, SECOND] }, 2)
  await db.mailbox.update({
    where: { mailbox_id: made.mailbox.mailbox_id },
    data: {
      smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: null },
      smtp_password: null,
    },
  })
  const { outbox } = await dispatchAt(MONDAY)
  const [mail, other] = outbox
  if (!mail || !other) throw new Error('two mails left')
  await arrive(made.mailbox, replyTo(mail, text, headers), minutes(30))
  const { items } = (await call(ListInboxThreads, { as: made.owner, query: { folder: 'all' } })).body
  const [thread] = items
  if (!thread) throw new Error('no conversation')
  return { ...made, mail, other, thread, params: { thread_id: thread.thread_id } }
}
