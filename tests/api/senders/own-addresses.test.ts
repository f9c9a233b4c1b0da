import { expect, test } from 'vitest'
import { ConnectMailboxes, CreateMailbox, ReadMailbox, UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'

const SALES = 'sales@company.test'
const OTHER = 'ana@other.test'

async function aScene(data: object = {}) {
  const owner = await aUser()
  const { mailbox_id, address } = await aMailbox(owner)
  await db.mailbox.update({ where: { mailbox_id }, data })
  const params = { mailbox_id }
  return {
    owner,
    address,
    mailbox_id,
    read: async () => (await call(ReadMailbox, { as: owner, params })).body,
    patch: (body: object) => call(UpdateMailbox, { as: owner, params, body }),
  }
}

test('its addresses are written in lower case, each once, and it sends as one of them', async () => {
  const { patch, read, address } = await aScene()
  const aliases = [SALES.toUpperCase(), OTHER, SALES, address]
  expect((await patch({ aliases, send_as: OTHER.toUpperCase() })).body).toMatchObject({
    address,
    aliases: [SALES, OTHER],
    send_as: OTHER,
    aliases_read_at: null,
    aliases_error: null,
  })
  expect((await patch({ send_as: address })).body).toMatchObject({ send_as: null, aliases: [SALES, OTHER] })
  expect(await read()).toMatchObject({ send_as: null })
})

test.each([
  ['what is not its own', {}, { send_as: SALES }, 'send_as'],
  ['what is no address', {}, { send_as: 'sales' }, 'send_as'],
  ['what is no address among its own', {}, { aliases: ['sales'] }, 'aliases'],
  [
    'its own without the one that it sends as',
    { aliases: [SALES], send_as: SALES },
    { aliases: [OTHER] },
    'aliases',
  ],
  [
    'more addresses than anybody has',
    {},
    { aliases: Array.from({ length: 101 }, (_, at) => `a${at}@company.test`) },
    'aliases',
  ],
])('422 for %s, and nothing changes', async (_, data, body, field) => {
  const { patch, read } = await aScene(data)
  const before = await read()
  const { status, error } = await patch(body)
  expect([status, JSON.stringify(error)]).toEqual([422, expect.stringContaining(`"body","${field}"`)])
  expect(await read()).toEqual(before)
})

test('422 for addresses that its provider names, also where they come with others as they are', async () => {
  const { patch } = await aScene({ aliases: [SALES], aliases_read_at: new Date() })
  expect((await patch({ aliases: [SALES, OTHER] })).status).toBe(422)
  expect((await patch({ aliases: [SALES], send_as: SALES })).body).toMatchObject({ send_as: SALES })
})

test('one that was lost stays while other things are saved, and another choice has it tried at once', async () => {
  const { patch, read } = await aScene({ send_as: SALES, ...FAILING, failing_cause: 'refused' })
  expect((await patch({ name: 'Ana', send_as: SALES })).body).toMatchObject({
    name: 'Ana',
    status: 'failing',
  })
  expect((await patch({ send_as: null })).body).toMatchObject({ send_as: null, status: 'connected' })
  expect(await read()).toMatchObject({ failing_cause: null, last_checked_at: null })
})

test('another choice says nothing of what else is wrong with it', async () => {
  const { patch } = await aScene({ aliases: [SALES], ...FAILING, failing_cause: 'sign_in' })
  expect((await patch({ send_as: SALES })).body).toMatchObject({
    status: 'failing',
    failing_cause: 'sign_in',
  })
})

test('servers by hand take the place of a provider: its addresses are one’s own to write then', async () => {
  const { patch } = await aScene({ aliases: [SALES], aliases_read_at: new Date() })
  const smtp = { host: 'mail.example.com', port: 587, security: 'starttls' }
  expect((await patch({ smtp })).body).toMatchObject({ aliases: [SALES], aliases_read_at: null })
  expect((await patch({ aliases: [OTHER] })).body).toMatchObject({ aliases: [OTHER] })
})

test('it is connected with them, one by one and from a file', async () => {
  const owner = await aUser()
  const smtp = { host: 'mail.example.com', port: 587, security: 'starttls' as const }
  const body = { address: 'one@company.test', smtp, aliases: [SALES], send_as: SALES }
  expect((await call(CreateMailbox, { as: owner, body })).body).toMatchObject({
    send_as: SALES,
    aliases: [SALES],
  })
  const stranger = { ...body, address: 'two@company.test', send_as: OTHER }
  expect((await call(CreateMailbox, { as: owner, body: stranger })).status).toBe(422)
  const csv = `address,smtp_host,smtp_port,send_as\nthree@company.test,mail.example.com,587,${OTHER}\nfour@company.test,127.0.0.1,1,${OTHER}\n`
  const { body: many } = await call(ConnectMailboxes, { as: owner, body: { csv } })
  const { mailbox_id } = many.rows[0] ?? {}
  expect(mailbox_id, JSON.stringify(many)).toBeTruthy()
  // A fault in one row keeps no other row from being connected.
  expect(many.rows[1]).toMatchObject({
    outcome: 'refused',
    error: expect.stringMatching(/^The column smtp_host must not be a private address/),
  })
  expect(await db.mailbox.findFirst({ where: { mailbox_id: mailbox_id ?? '' } })).toMatchObject({
    aliases: [OTHER],
    send_as: OTHER,
  })
})

test('another workspace can have the same address, and its own is not touched', async () => {
  const one = await aScene({ aliases: [SALES] })
  const two = await aScene()
  await two.patch({ aliases: [SALES], send_as: SALES })
  expect(await one.read()).toMatchObject({ send_as: null, aliases: [SALES] })
})
