import { expect } from '@playwright/test'
import { db, pool } from '#lib/db/client'
import { uuidv7 } from '#lib/db/uuid'
import { toMessageId } from '#lib/domain/messages/mail-message'
import { handleSent } from '#lib/services/inbox/sent/handle-sent'
import type { MailReader } from '#lib/services/reading/mail'
import { MAIL_TASKS } from '#lib/services/reading/mail-tasks'
import { aCampaign, aMailbox, anEnrolledLead } from '#tests/support/scenes/factories'
import { bytes } from '#tests/support/scenes/inbound-mail'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

const HERE: MailReader = {
  read: async (kind, input) => ({
    outcome: 'done',
    value: (await MAIL_TASKS[kind](input as never)) as never,
    cpu_ms: 0,
  }),
  readParts() {
    throw new Error('No mail is read in parts.')
  },
}

/** Ada got the first step, and then an email that her sender wrote on a phone. */
async function written() {
  const owner = await aPerson()
  const { workspace_id } = owner
  const mailbox = await aMailbox(owner, { address: `dana-${owner.user_id.slice(-6)}@acme.test` })
  const { mailbox_id } = mailbox
  const now = new Date()
  await db.mailbox.update({
    where: { mailbox_id },
    data: {
      imap: { host: '127.0.0.1', port: 1, security: 'none', username: null },
      inbox_polled_at: now,
      sent_polled_at: now,
    },
  })
  const { campaign_id } = await aCampaign(owner, { name: 'Spring' })
  const lead = await anEnrolledLead(owner, { campaign_id, email: 'ada@prices.test', mailbox_id })
  const { campaign_lead_id } = lead
  const at = new Date(now.getTime() - 3_600_000)
  const action_id = uuidv7(at)
  await db.action.create({
    data: {
      action_id,
      campaign_id,
      campaign_lead_id,
      workspace_id,
      mailbox_id,
      step: 1,
      channel: 'email',
      action_type: 'email',
      status: 'sent',
      subject: 'A thought about Quinn',
      body: 'Would a call help?',
      message_id: toMessageId(action_id, mailbox.address),
      performed_at: at,
      recorded_at: at,
    },
  })
  const raw = bytes(
    `From: Dana <${mailbox.address}>\nTo: Ada Quinn <ada@prices.test>\nSubject: Re: A thought about Quinn\nMessage-ID: <phone@acme.test>\n\nGood to hear you on the phone just now. The contract follows on Monday.\n`,
  )
  const sent = {
    folder: 'Sent',
    uid_validity: 1n,
    uid: 1,
    raw,
    size_bytes: raw.length,
    received_at: now,
    is_sent: true,
  }
  await handleSent(pool(), mailbox, sent, now, HERE)
  const { thread_id } = await db.thread.findFirstOrThrow({ where: { workspace_id } })
  return { owner, mailbox_id, thread_id, campaign_id, campaign_lead_id }
}

test('what was written in another program stands in its conversation, and says why its lead gets nothing more', async ({
  page,
}) => {
  const { owner, mailbox_id, thread_id, campaign_id, campaign_lead_id } = await written()
  await signIn(page, owner)
  await page.goto(`/inbox/${thread_id}?folder=all`)
  const message = page.getByRole('article').filter({ hasText: 'The contract follows on Monday.' })
  await expect(message.getByText('Written elsewhere')).toBeVisible()

  await page.goto(`/campaigns/${campaign_id}/leads?lead=${campaign_lead_id}`)
  await expect(page.getByText('A message was sent manually').first()).toBeVisible()
  await expect(page.getByText('Stopped: a message was sent manually').first()).toBeVisible()

  await page.goto(`/mailboxes/${mailbox_id}`)
  await expect(page.getByText('Emails you send to leads from elsewhere are found here')).toBeVisible()
})
