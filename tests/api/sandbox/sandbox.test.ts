import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { ListSandboxMessages, ReadSandboxMessage } from '#lib/contracts/sandbox/sandbox'
import { db } from '#lib/db/client'
import { readRawMail } from '#lib/services/senders/sandbox'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '2600'

let made = 0
async function aMessage(fields: {
  from: string
  workspace_id?: string | null
  subject?: string
  headers?: string[]
}) {
  made += 1
  const { from, subject = `Number ${made}`, headers = [] } = fields
  const lines = [
    `From: Ada <${from}>`,
    `To: lead-${made}@x.test`,
    `Subject: ${subject}`,
    'Content-Type: text/html',
    ...headers,
  ]
  return db.sandboxMessage.create({
    data: {
      workspace_id: fields.workspace_id ?? null,
      mail_from: from,
      rcpt_to: `lead-${made}@x.test`,
      from_address: from,
      message_id: `<${made}@x.test>`,
      subject,
      raw: Buffer.from(`${lines.join('\r\n')}\r\n\r\n<p>Hi <script>alert(1)</script></p>`),
      received_at: new Date(Date.UTC(2026, 2, 2, 10, 0, made)),
    },
  })
}

test('lists what left from one’s own mailboxes, newest first, searched and paged', async () => {
  const owner = await aUser()
  const { address: from } = await aMailbox(owner)
  const first = await aMessage({ from, workspace_id: owner.workspace_id })
  const second = await aMessage({ from, workspace_id: owner.workspace_id, subject: 'Grüße' })
  await aMessage({ from: 'somebody@else.test' })
  // A sender that a header claims is not believed.
  await aMessage({ from })
  const list = async (query: Record<string, string | number>) =>
    (await call(ListSandboxMessages, { as: owner, query })).body
  const all = await list({})
  expect(all).toMatchObject({ total: 2, page: 1, page_size: 20 })
  expect(all.items).toEqual([
    {
      sandbox_message_id: second.sandbox_message_id,
      mail_from: from,
      rcpt_to: second.rcpt_to,
      from_address: from,
      message_id: second.message_id,
      subject: 'Grüße',
      received_at: second.received_at.toISOString(),
    },
    expect.objectContaining({ sandbox_message_id: first.sandbox_message_id }),
  ])
  for (const search of ['GRÜ', second.rcpt_to.toUpperCase()])
    expect(await list({ search })).toMatchObject({ total: 1, items: [{ subject: 'Grüße' }] })
  expect(await list({ page: 2, page_size: 1 })).toMatchObject({
    total: 2,
    items: [{ subject: first.subject }],
  })
})

test('two owners of one address see what their own campaigns sent, and no more', async () => {
  const [one, two] = [await aUser(), await aUser()]
  const { address: from } = await aMailbox(one)
  await aMailbox(two, { address: from })
  const message = await aMessage({ from, workspace_id: one.workspace_id })
  expect((await call(ListSandboxMessages, { as: one })).body.total).toBe(1)
  expect((await call(ListSandboxMessages, { as: two })).body.total).toBe(0)
  expect((await call(ReadSandboxMessage, { as: two, params: message })).error).toEqual({
    detail: 'message_not_found',
    message: 'Message not found.',
  })
})

test('shows a mail as its recipient sees it, without what could run, and as it came', async () => {
  const owner = await aUser()
  const { address: from } = await aMailbox(owner)
  const url = 'http://opener.test/unsubscribe/u1.x'
  const headers = [
    `List-Unsubscribe: <mailto:a@b.test>, <${url}>`,
    'List-Unsubscribe-Post: List-Unsubscribe=One-Click',
  ]
  const message = await aMessage({ from, workspace_id: owner.workspace_id, headers })
  const { status, body } = await call(ReadSandboxMessage, { as: owner, params: message })
  expect(status).toBe(200)
  expect(body).toMatchObject({
    sandbox_message_id: message.sandbox_message_id,
    from: { name: 'Ada', address: from },
    to: [{ name: '', address: message.rcpt_to }],
    subject: message.subject,
    unsubscribe_url: url,
    raw: Buffer.from(message.raw).toString(),
  })
  expect(body.display_html).not.toContain('<script')
  expect(body.headers).toContainEqual({ name: 'content-type', value: 'text/html' })
  expect(await readRawMail(owner.workspace_id, message.sandbox_message_id)).toEqual(
    new Uint8Array(message.raw),
  )
})

test.each([
  { name: 'without the header of RFC 8058', headers: ['List-Unsubscribe: <http://x.test/u>'] },
  {
    name: 'where the address could run something',
    headers: ['List-Unsubscribe: <javascript:alert(1)>', 'List-Unsubscribe-Post: List-Unsubscribe=One-Click'],
  },
])('offers no one click $name', async ({ headers }) => {
  const owner = await aUser()
  const message = await aMessage({ from: 'a@x.test', workspace_id: owner.workspace_id, headers })
  const { body } = await call(ReadSandboxMessage, { as: owner, params: message })
  expect(body.unsubscribe_url).toBeNull()
})

test('404 for a message that does not exist', async () => {
  const params = { sandbox_message_id: randomUUID() }
  expect((await call(ReadSandboxMessage, { as: await aUser(), params })).status).toBe(404)
})
