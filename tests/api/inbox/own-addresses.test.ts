import { expect, test } from 'vitest'
import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import { ReadInboxMessages, ReadInboxThread } from '#lib/contracts/inbox/inbox'
import { ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { ReadInboxTemplate } from '#lib/contracts/inbox/inbox-templates'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { arrive } from '#tests/support/scenes/arrivals'
import { aTemplate } from '#tests/support/scenes/factories'
import { answered, sink } from '#tests/support/scenes/inbox'
import { minutes } from '#tests/support/scenes/launched'

const SALES = 'sales@company.test'
const OTHER = 'ana@other.test'

/** A lead has replied to a mailbox with two more addresses; `to` is the recipient of their next mail. */
async function written(to: string | null, data: object = {}, cc = `<${OTHER}>`) {
  const made = await answered()
  const { mailbox, mail } = made
  await db.mailbox.update({
    where: { mailbox_id: mailbox.mailbox_id },
    data: { aliases: [SALES, OTHER], ...data },
  })
  if (to)
    await arrive(
      mailbox,
      `From: <${mail.to.address}>\nTo: <${to}>\nCc: Bob <bob@lead.test>, ${cc}\nSubject: Re: ${mail.subject}\nIn-Reply-To: ${mail.message_id}\nMessage-ID: <next-${mailbox.mailbox_id}@lead.test>\n\nAnd this.\n`,
      minutes(40),
    )
  const answer = async (text = 'Hello') => {
    const before = sink.messages.length
    const { status, body } = await call(ReplyInInbox, { as: made.owner, params: made.params, body: { text } })
    return { status, body, left: sink.messages.slice(before) }
  }
  return { ...made, answer }
}

test('an answer comes from the address that the lead wrote to, in the same conversation', async () => {
  const { answer, owner, params, mail } = await written(SALES)
  expect((await call(ReadInboxThread, { as: owner, params })).body.answers_from).toBe(SALES)
  const { template_id } = await aTemplate(owner, { body: 'I am {{ sender.email }}.' })
  const words = await call(ReadInboxTemplate, { as: owner, params: { ...params, template_id } })
  expect(words.body.text).toBe(`I am ${SALES}.`)
  const { status, body, left } = await answer()
  expect([status, body.from_address, body.delivery_status]).toEqual([201, SALES, 'sent'])
  expect(left).toMatchObject([{ from: SALES, to: [mail.to.address] }])
  expect(left[0]?.raw).toMatch(/^From: .*<?sales@company\.test>?\r$/m)
  expect(left[0]?.raw).toContain(mail.message_id)
  const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
  expect(messages.at(-1)).toMatchObject({ from_address: SALES, direction: 'out' })
})

test('also where the mailbox sends as another one; who wrote to none of its own is answered from what wrote to them', async () => {
  const { answer } = await written(SALES, { send_as: OTHER })
  expect((await answer()).left).toMatchObject([{ from: SALES }])
  const { answer: toList, mailbox } = await written('list@elsewhere.test', { send_as: SALES }, '<x@y.test>')
  expect((await toList()).body.from_address).toBe(mailbox.address)
  const gone = await written('list@elsewhere.test', { send_as: SALES }, '<x@y.test>')
  await db.action.updateMany({
    where: { mailbox_id: gone.mailbox.mailbox_id },
    data: { from_address: 'gone@company.test' },
  })
  expect((await gone.answer()).body.from_address).toBe(SALES)
})

test('an answer to all goes to none of its own addresses', async () => {
  const { owner, params } = await written(SALES)
  const { body } = await call(ReadInboxThread, { as: owner, params })
  expect(body.others).toEqual([{ name: 'Bob', address: 'bob@lead.test' }])
})

test('what it forwards comes from the address that it sends as, and goes to none of its own', async () => {
  const { owner, params, mail, mailbox } = await written(SALES, { send_as: OTHER })
  const { messages } = (await call(ReadInboxMessages, { as: owner, params })).body
  // The step was sent before that address was chosen, as the ledger says.
  expect(messages[0]).toMatchObject({ kind: 'step', from_address: mailbox.address })
  const { inbox_message_id = '' } = messages.findLast(({ direction }) => direction === 'in') ?? {}
  const forward = (to: string) =>
    call(ForwardInInbox, {
      as: owner,
      params: { ...params, inbox_message_id: inbox_message_id ?? '' },
      body: { to, text: 'See below.' },
    })
  const before = sink.messages.length
  expect((await forward('Boss@elsewhere.test')).body).toMatchObject({ from_address: OTHER })
  expect((await forward(SALES)).status).toBe(422)
  const left = sink.messages.slice(before)
  expect(left).toMatchObject([{ from: OTHER, to: ['boss@elsewhere.test'] }])
  expect(left[0]?.raw).toContain(mail.to.address)
})

test('mail from one of its own addresses is one’s own, and ends no lead as a reply', async () => {
  const made = await answered()
  const { mailbox, other } = made
  await db.mailbox.update({ where: { mailbox_id: mailbox.mailbox_id }, data: { aliases: [SALES] } })
  const raw = `From: <${SALES}>\nTo: <${other.to.address}>\nSubject: Re: ${other.subject}\nIn-Reply-To: ${other.message_id}\nMessage-ID: <own-${mailbox.mailbox_id}@x>\n\nMine.\n`
  expect(await arrive(mailbox, raw, minutes(50))).toMatchObject({ kind: 'own_message' })
})

test('a lost address to send as answers nobody, and what was written is kept', async () => {
  const { answer, thread } = await written(null, { aliases: [], send_as: SALES })
  const { body, left } = await answer('Still here?')
  expect(left).toEqual([])
  expect(body).toMatchObject({ delivery_status: 'failed', response: expect.stringContaining(SALES) })
  expect(await db.inboxDraft.count({ where: { thread_id: thread.thread_id } })).toBe(0)
})
