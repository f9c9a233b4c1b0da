import { expect, test } from 'vitest'
import {
  ListNotificationMessages,
  ListNotifications,
  MarkAllNotificationsRead,
  MarkNotificationRead,
  ReadNotificationPreferences,
  SendTestNotification,
  UpdateNotificationPreferences,
} from '#lib/contracts/telling/notifications'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aCampaign, aUser } from '#tests/support/scenes/factories'

// Set before any module reads the environment: mail to owners goes to the sandbox.
process.env.SANDBOX_SMTP_PORT = '1025'

type User = { workspace_id: string; user_id: string }

const DEFAULTS = {
  email_enabled: true,
  messaging_enabled: false,
  notify_on_reply: true,
  notify_on_bounce: true,
  notify_on_complaint: true,
  notify_on_assignment: true,
  notify_on_mention: true,
  analytics_email: 'off',
  personal_email: '',
  messaging_number: '',
  version: 1,
}
const read = (as?: User) => call(ReadNotificationPreferences, { as })
const update = (as: User, body: unknown) => call(UpdateNotificationPreferences, { as, body })
const aNotification = (owner: User, fields: { kind?: string; campaign_id?: string; data?: object } = {}) =>
  db.notification.create({
    data: { workspace_id: owner.workspace_id, kind: 'reply', data: { email: 'ada@acme.example' }, ...fields },
  })

test('whoever never chose has the defaults, in exactly the ten fields and their version', async () => {
  const { status, body } = await read(await aUser())
  expect([status, body]).toEqual([200, DEFAULTS])
})

test('401 is legacy: a text and nothing else', async () => {
  const { status, error } = await read()
  expect([status, Object.keys(error), typeof error.detail]).toEqual([401, ['detail'], 'string'])
})

test('what is given is changed and stays, the rest is left alone, and null or nothing takes it back', async () => {
  const owner = await aUser()
  const change = { notify_on_bounce: false, personal_email: 'me@example.com' }
  expect((await update(owner, change)).body).toEqual({ ...DEFAULTS, ...change, version: 2 })
  await update(owner, { messaging_number: '+49 170 1234567', messaging_enabled: true })
  const both = {
    ...DEFAULTS,
    ...change,
    messaging_number: '+491701234567',
    messaging_enabled: true,
    version: 3,
  }
  expect((await read(owner)).body).toEqual(both)
  // What was read may be sent back unchanged.
  expect((await update(owner, both)).body).toEqual({ ...both, version: 4 })
  expect((await update(owner, { personal_email: null })).body).toEqual({
    ...both,
    personal_email: '',
    version: 5,
  })
  expect((await update(owner, { ...DEFAULTS, version: 5 })).body).toEqual({ ...DEFAULTS, version: 6 })
  const { personal_email, messaging_number } = await db.notificationPreferences.findFirstOrThrow({
    where: { workspace_id: owner.workspace_id },
  })
  expect([personal_email, messaging_number]).toEqual([null, null])
  expect((await read(await aUser())).body).toEqual(DEFAULTS)
})

test.each([
  ['an address that is none', { personal_email: 'me' }, 'personal_email'],
  ['a line break in the number', { messaging_number: '+49\n170' }, 'messaging_number'],
  ['a number without its country', { messaging_number: '0170 1234567' }, 'messaging_number'],
  ['a number of no length', { messaging_number: '+49170' }, 'messaging_number'],
  ['words', { messaging_number: 'call me' }, 'messaging_number'],
  ['a chat where messages go to telephones', { messaging_number: '@petra' }, 'messaging_number'],
  ['a switch that is no boolean', { email_enabled: 'yes' }, 'email_enabled'],
  ['messages to nowhere', { messaging_enabled: true }, 'messaging_number'],
])('422 for %s, and nothing is changed', async (_, body, field) => {
  const owner = await aUser()
  const { status, error } = await update(owner, { notify_on_reply: false, ...body })
  expect(status).toBe(422)
  expect(error.details.map(({ loc }: { loc: string[] }) => loc.join('.'))).toContain(`body.${field}`)
  expect((await read(owner)).body).toEqual(DEFAULTS)
})

test('notifications are sentences, newest first, and unread ones are counted', async () => {
  const owner = await aUser()
  const { campaign_id, name } = await aCampaign(owner)
  const first = await aNotification(owner, { campaign_id })
  const second = await aNotification(owner, {
    kind: 'campaign_paused',
    campaign_id,
    data: { name, reason: 'bounce_rate' },
  })
  const { body } = await call(ListNotifications, { as: owner })
  expect(body.items.map(({ text }) => text)).toEqual([
    `The campaign “${name}” paused: too many addresses bounced.`,
    `1 reply in “${name}” (ada@acme.example).`,
  ])
  const params = { notification_id: first.notification_id }
  const marked = await call(MarkNotificationRead, { as: owner, params })
  expect(marked.body.read_at).not.toBeNull()
  const again = await call(MarkNotificationRead, { as: owner, params })
  expect(again.body.read_at).toBe(marked.body.read_at)
  const unread = await call(ListNotifications, { as: owner, query: { unread: 'true' } })
  expect([unread.body.total, unread.body.items[0]?.notification_id]).toEqual([1, second.notification_id])
  const all = await call(MarkAllNotificationsRead, { as: owner })
  expect([all.body, (await call(MarkAllNotificationsRead, { as: owner })).body]).toEqual([
    { marked: 1 },
    { marked: 0 },
  ])
})

test("nobody marks another's", async () => {
  const owner = await aUser()
  await aNotification(owner)
  expect((await call(MarkAllNotificationsRead, { as: await aUser() })).body).toEqual({ marked: 0 })
  expect((await call(ListNotifications, { as: owner, query: { unread: 'true' } })).body.total).toBe(1)
})

test('a test goes to every channel that is switched on, and stands in the list of messages', async () => {
  const owner = await aUser()
  await update(owner, { messaging_number: '+14155552671', messaging_enabled: true })
  const { status, body } = await call(SendTestNotification, { as: owner })
  expect(status).toBe(202)
  expect(body.messages.map(({ channel, recipient }) => [channel, recipient])).toEqual([
    ['email', owner.email],
    ['messaging', '+14155552671'],
  ])
  const listed = await call(ListNotificationMessages, { as: owner })
  expect(listed.body).toMatchObject({ total: 2, items: [{ kind: 'test' }, { kind: 'test' }] })
})

test('409 for a test where every channel is off, and no storm of tests', async () => {
  const owner = await aUser()
  await update(owner, { email_enabled: false })
  expect((await call(SendTestNotification, { as: owner })).status).toBe(409)
  await update(owner, { email_enabled: true })
  const statuses: number[] = []
  for (let count = 0; count < 11; count += 1)
    statuses.push((await call(SendTestNotification, { as: owner })).status)
  expect(statuses).toEqual([...Array<number>(10).fill(202), 429])
})

test('a member has preferences of their own in each workspace, and nobody else’s are touched', async () => {
  const [owner, person] = [await aUser(), await aUser()]
  await db.member.create({
    data: { workspace_id: owner.workspace_id, user_id: person.user_id, role: 'member' },
  })
  const there = { 'x-workspace-id': owner.workspace_id }
  const here = { 'x-workspace-id': person.workspace_id }
  const mentions = async (as: { user_id: string }, headers: Record<string, string>) =>
    (await call(ReadNotificationPreferences, { as, headers })).body.notify_on_mention
  const body = { notify_on_mention: false }
  expect((await call(UpdateNotificationPreferences, { as: person, headers: there, body })).status).toBe(200)
  expect([await mentions(person, there), await mentions(person, here), await mentions(owner, there)]).toEqual(
    [false, true, true],
  )
})
