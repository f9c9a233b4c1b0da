import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { composeMail } from '#lib/providers/mail/compose'
import { handleInbound } from '#lib/services/inbox/handle-mail'
import { replyTo } from '#tests/support/scenes/arrivals'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { eml } from '#tests/support/scenes/inbound-mail'
import { dispatchAt, FIRST, launchedFor, MONDAY, minutes } from '#tests/support/scenes/launched'

afterEach(async () => {
  await db.campaign.deleteMany()
  await db.mailbox.deleteMany()
})

/** A campaign of one mailbox whose replies go to another, which is connected too. */
async function begun() {
  const owner = await aUser()
  const sender = await aMailbox(owner)
  const team = await aMailbox(owner)
  await db.mailbox.update({
    where: { mailbox_id: sender.mailbox_id },
    data: { reply_to: team.address, name: 'Ana', signature: '{{ sender.name }}, {{ sender.email }}' },
  })
  const made = await launchedFor(owner, { steps_config: [FIRST], alias_ids: [sender.mailbox_id] }, 1)
  const { outbox } = await dispatchAt(MONDAY)
  const [mail] = outbox
  if (!mail) throw new Error('nothing was sent')
  const lead = () => db.campaignLead.findFirstOrThrow({ where: { campaign_id: made.campaign_id } })
  let uid = 0
  const arrive = (raw: string, mailbox = team) =>
    handleInbound(
      pool(),
      mailbox,
      {
        folder: 'INBOX',
        uid_validity: 1n,
        uid: ++uid,
        raw: new TextEncoder().encode(raw),
        size_bytes: raw.length,
        received_at: minutes(10),
      },
      minutes(10),
    )
  return { ...made, owner, sender, team, mail, lead, arrive }
}

test('what leaves names it, and has the signature with its fields', async () => {
  const { mail, team, sender } = await begun()
  expect(mail.reply_to).toEqual({ name: 'Ana', address: team.address })
  expect(mail.text).toContain(`Ana, ${sender.address}`)
  expect(composeMail(mail).toString()).toContain(`Reply-To: Ana <${team.address}>`)
})

test('an answer there is the lead’s', async () => {
  const { mail, lead, arrive } = await begun()
  expect(await arrive(replyTo(mail))).toMatchObject({ kind: 'reply' })
  expect((await lead()).status).toBe('replied')
})

test('so is one that names no message, by its sender', async () => {
  const { lead, arrive } = await begun()
  const { email } = await lead()
  await arrive(eml(`From: ${email}\nMessage-ID: <new@x>\nSubject: Your mail`))
  expect((await lead()).status).toBe('replied')
})

test('what is written from there is one’s own, also where it is no mailbox here', async () => {
  const { mail, lead, arrive, sender } = await begun()
  await db.mailbox.update({
    where: { mailbox_id: sender.mailbox_id },
    data: { reply_to: 'sales@elsewhere.example' },
  })
  const raw = eml(
    `From: sales@elsewhere.example\nMessage-ID: <own@x>\nIn-Reply-To: ${mail.message_id}\nSubject: Re: Hello`,
  )
  expect(await arrive(raw)).toMatchObject({ kind: 'own_message' })
  expect((await lead()).status).not.toBe('replied')
})
