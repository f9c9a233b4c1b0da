import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { testServers } from '#lib/services/inbox/mailboxes/test-servers'
import { updateMailbox } from '#lib/services/senders/mailboxes'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { gmailError } from '#tests/support/servers/gmail'
import type { Play } from '#tests/support/servers/mail-api'
import { readField } from '#tests/support/servers/mail-api'
import { begunOverApi, closeMailApis } from '#tests/support/servers/mail-api-mailbox'

afterEach(closeMailApis)

const SALES = 'sales@company.test'
const addressIn = (raw: string) => /[^\s<>]+@[^\s<>]+/.exec(readField(raw, 'From') ?? '')?.[0]

/** A Google mailbox that may send as another address, and is read. */
async function atGoogle(play?: () => Play | undefined) {
  const made = await begunOverApi('google', {
    play: (_, { path }) => (path.endsWith('/settings/sendAs') ? play?.() : undefined),
  })
  const { server, mailbox, owner, mailbox_id } = made
  if (!('sendAs' in server)) throw new Error('another server')
  server.sendAs.push(
    { sendAsEmail: mailbox.address, isPrimary: true },
    { sendAsEmail: SALES, verificationStatus: 'accepted' },
    { sendAsEmail: 'boss@company.test', verificationStatus: 'pending' },
  )
  const { sendAs } = server
  return {
    ...made,
    sendAs,
    takeAway: () => void sendAs.splice(1, 1),
    write: (body: object, at = minutes(20)) => updateMailbox(owner.workspace_id, mailbox_id, body, at),
    told: () => db.notification.findMany({ where: { mailbox_id } }),
    asked: () => server.asked.filter(({ path }) => path.endsWith('/settings/sendAs')).length,
  }
}

test('what Google names is known after a reading, and mail leaves under the address that was chosen', async () => {
  const { poll, row, write, send, server, mailbox, actions } = await atGoogle()
  await poll()
  expect(await row()).toMatchObject({ aliases: [SALES], aliases_read_at: minutes(10), send_as: null })
  await write({ send_as: SALES })
  await send(minutes(30))
  expect(server.sent().map(addressIn)).toEqual([SALES, SALES])
  const [raw = ''] = server.sent()
  expect(readField(raw, 'List-Unsubscribe')).toContain(`mailto:${SALES}`)
  expect(raw).not.toContain(mailbox.address)
  expect((await actions()).map(({ message_id }) => message_id)).toEqual([
    expect.stringMatching(/@company\.test>$/),
    expect.stringMatching(/@company\.test>$/),
  ])
})

test('an address that is taken away is told of once, and nothing leaves, from it or from another', async () => {
  const { poll, row, write, send, server, told, actions, takeAway } = await atGoogle()
  await poll()
  await write({ send_as: SALES })
  takeAway()
  await poll(minutes(80))
  const lost = { status: 'failing', failing_cause: 'refused', send_as: SALES, aliases: [] }
  expect(await row()).toMatchObject({ ...lost, last_error: expect.stringContaining(`${SALES} is no longer`) })
  expect(await told()).toMatchObject([{ kind: 'mailbox_failing' }])
  await send(minutes(90))
  await poll(minutes(150))
  expect([server.sent(), server.drafts.size]).toEqual([[], 0])
  expect(await row()).toMatchObject(lost)
  expect(await told()).toHaveLength(1)
  // Its leads keep their place: the failures count as no try.
  expect((await actions()).every(({ status, attempts }) => status === 'retry' && attempts === 0)).toBe(true)

  await write({ send_as: null }, minutes(160))
  expect(await row()).toMatchObject({ status: 'connected', failing_cause: null })
  await send(minutes(161))
  expect(server.sent()).toHaveLength(2)
})

test('it goes on by itself once the address is there again', async () => {
  const { poll, row, write, send, server, sendAs, takeAway } = await atGoogle()
  await poll()
  await write({ send_as: SALES })
  takeAway()
  await poll(minutes(80))
  sendAs.push({ sendAsEmail: SALES })
  await poll(minutes(141))
  await send(minutes(250))
  await send(minutes(251))
  expect(await row()).toMatchObject({ status: 'connected', aliases: [SALES] })
  expect(server.sent().map(addressIn)).toEqual([SALES, SALES])
})

test('before anybody found out, nothing leaves under what is not its own', async () => {
  const { poll, row, write, send, server, mailbox_id } = await atGoogle()
  await poll()
  await write({ send_as: SALES })
  await db.mailbox.update({ where: { mailbox_id }, data: { aliases: [] } })
  await send(minutes(30))
  expect([server.sent(), server.drafts.size]).toEqual([[], 0])
  expect(await row()).toMatchObject({ status: 'failing', failing_cause: 'refused' })
})

test('it is asked hourly where it sends as another address, daily else, and by each test', async () => {
  const { poll, write, asked, owner, mailbox_id, vendors, aliases, mail } = await atGoogle()
  await poll(minutes(0))
  await poll(minutes(120))
  expect(asked()).toBe(1)
  await write({ send_as: SALES })
  await poll(minutes(121))
  await poll(minutes(150))
  expect(asked()).toBe(2)
  await poll(minutes(181))
  expect(asked()).toBe(3)
  const tested = await testServers(owner.workspace_id, mailbox_id, minutes(182), { mail, vendors, aliases })
  expect(tested).toMatchObject({ ok: true })
  expect(asked()).toBe(4)
})

test('a test says that the address is gone, and one of an address that is there has it work again', async () => {
  const { poll, row, write, owner, mailbox_id, vendors, aliases, mail, sendAs, takeAway } = await atGoogle()
  await poll()
  await write({ send_as: SALES })
  takeAway()
  const test = (at: Date) =>
    testServers(owner.workspace_id, mailbox_id, at, { mail, vendors, aliases }).then(({ smtp }) => smtp)
  expect(await test(minutes(30))).toMatchObject({
    ok: false,
    cause: 'refused',
    error: expect.stringContaining(SALES),
  })
  sendAs.push({ sendAsEmail: SALES })
  expect(await test(minutes(31))).toMatchObject({ ok: true })
  expect(await row()).toMatchObject({ status: 'connected', last_error: null })
})

test('while Google cannot say, what is known stays, and nobody is told', async () => {
  let is_bad = false
  const { poll, row, write, send, server, told } = await atGoogle(() =>
    is_bad ? { status: 503 } : undefined,
  )
  await poll()
  await write({ send_as: SALES })
  is_bad = true
  await poll(minutes(80))
  expect(await row()).toMatchObject({ aliases: [SALES], aliases_error: null, status: 'connected' })
  expect(await told()).toEqual([])
  await send(minutes(90))
  expect(server.sent().map(addressIn)).toEqual([SALES, SALES])
})

test('nobody writes by hand what Google names', async () => {
  const { poll, write, row } = await atGoogle()
  await poll()
  await expect(write({ aliases: [SALES, 'other@company.test'] })).rejects.toMatchObject({
    problems: [{ loc: ['body', 'aliases'], msg: expect.stringContaining('read from the provider') }],
  })
  await expect(write({ send_as: 'boss@company.test' })).rejects.toMatchObject({
    problems: [{ loc: ['body', 'send_as'] }],
  })
  expect(await row()).toMatchObject({ aliases: [SALES], send_as: null })
})

test('where Google does not let them be read, they are written by hand', async () => {
  const { poll, write, row, send, server } = await atGoogle(() => gmailError(403, 'insufficientPermissions'))
  await poll()
  expect(await row()).toMatchObject({ aliases: [], aliases_error: expect.stringMatching(/./) })
  await write({ aliases: [SALES], send_as: SALES })
  await send(minutes(30))
  expect(server.sent().map(addressIn)).toEqual([SALES, SALES])
})

test('Microsoft: read where the app may, and written by hand where it may not', async () => {
  const { poll, row, server, owner, mailbox_id, send, mailbox } = await begunOverApi('microsoft')
  if (!('profile' in server)) throw new Error('another server')
  await poll()
  expect(await row()).toMatchObject({ aliases: [], aliases_error: expect.stringContaining('User.Read') })
  await updateMailbox(owner.workspace_id, mailbox_id, { aliases: [SALES], send_as: SALES }, MONDAY)
  await send()
  expect(server.sent().map(addressIn)).toEqual([SALES, SALES])
  server.profile.proxyAddresses = [`SMTP:${mailbox.address}`, `smtp:${SALES}`, 'smtp:ana@other.test']
  await poll(minutes(80))
  expect(await row()).toMatchObject({ aliases: [SALES, 'ana@other.test'], aliases_error: null })
})
