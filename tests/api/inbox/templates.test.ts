import { expect, test } from 'vitest'
import { ReadInboxTemplate } from '#lib/contracts/inbox/inbox-templates'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aTemplate, aUser } from '#tests/support/scenes/factories'
import { answered } from '#tests/support/scenes/inbox'

/** The body of a template, rendered as a reply to the lead who wrote. */
async function asAnswer(body: string) {
  const made = await answered()
  const { owner, params } = made
  const { template_id } = await aTemplate(owner, { subject: 'Of its own', body })
  const read = await call(ReadInboxTemplate, { as: owner, params: { ...params, template_id } })
  return { ...made, template_id, ...read }
}

test.each([
  ['Dear {{ first_name }}, as {{ company }} asked:\n\n- one', 'Dear Lead0, as Company 0 asked:\n\n- one', []],
  ['<p>Dear <b>{{ first_name }}</b></p><p>Bye</p>', 'Dear Lead0\n\nBye', []],
  ['Hi {{ nick | default: "there" }}', 'Hi there', []],
  ['{{ nick }} and {{ sender.title }}', '[nick] and [sender.title]', ['nick', 'sender.title']],
  ['{% if nick %}a{% else %}b{% endif %}', 'b', []],
])('%j is %j in an answer', async (body, text, missing) => {
  const { status, body: read } = await asAnswer(body)
  expect([status, read.text, read.missing]).toEqual([200, text, missing])
})

test('its sender is the mailbox of the conversation, and nothing is sent or kept', async () => {
  const { body, mailbox, params } = await asAnswer('{{ sender.email }} for {{ email }}')
  const lead = await db.thread.findUniqueOrThrow({ where: params })
  expect(body.text).toBe(`${mailbox.address} for ${lead.counterpart_address}`)
  expect(await db.inboxDraft.count({ where: params })).toBe(0)
  expect(await db.inboxMessage.count({ where: { ...params, direction: 'out' } })).toBe(0)
})

test('a template of nobody, and one of somebody else, are not found', async () => {
  const { owner, params } = await answered()
  const { template_id } = await aTemplate(await aUser())
  for (const id of [template_id, crypto.randomUUID()])
    expect(
      (await call(ReadInboxTemplate, { as: owner, params: { ...params, template_id: id } })).status,
    ).toBe(404)
})
