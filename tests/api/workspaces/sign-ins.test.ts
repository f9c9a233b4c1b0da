import { expect, test } from 'vitest'
import { ListAuditEvents } from '#lib/contracts/workspaces/audit'
import { ListSignIns } from '#lib/contracts/workspaces/sign-ins'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { disownSignIn, mailNewDevice } from '#lib/services/workspaces/sign-in/new-device'
import { resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import { openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { recordFailedSignIn, recordSignIn, removeOldSignIns } from '#lib/services/workspaces/sign-in/sign-ins'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aNotifySink, decoded } from '#tests/support/servers/notify-sink'

const NOW = new Date('2030-03-01T12:00:00Z')
const DAY = 86_400_000
const later = (days: number) => new Date(NOW.getTime() + days * DAY)
const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const SAFARI = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Safari/604.1'
const laptop = { device: 'laptop', user_agent: FIREFOX, place: '203.0.113.77' }
const phone = { device: 'phone', user_agent: SAFARI, place: '2001:db8:85a3::8a2e:370:7334' }

const sink = aNotifySink()

type Owner = { user_id: string }
async function enter({ user_id }: Owner, browser = laptop, at = NOW) {
  const session_id = await openSession(user_id, browser, at, 3600)
  return { session_id, ...(await recordSignIn(user_id, { method: 'password', session_id, browser }, at)) }
}
const listed = async (owner: Owner) => (await call(ListSignIns, { as: owner })).body
const linkIn = (raw = '') => /\/not-me\/([\w-]{43})/.exec(decoded(raw))?.[1] ?? ''

test('who came in and who did not is listed, with device and network, and nothing of others', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const { session_id } = await enter(owner)
  await recordFailedSignIn(owner.user_id, { method: 'password', ...phone }, later(1))
  await enter(other)
  const { items, total } = await listed(owner)
  expect(total).toBe(2)
  expect(items).toMatchObject([
    { succeeded: false, device: 'Safari on iPhone', place: '2001:db8:85a3::/48', session_id: null },
    {
      succeeded: true,
      method: 'password',
      device: 'Firefox on Linux',
      place: '203.0.113.0/24',
      is_new_device: false,
      session_id,
    },
  ])
  expect(JSON.stringify(items)).not.toContain('laptop')
})

test('a device is new once, never for the first sign-in, and not what failed there', async () => {
  const owner = await aUser()
  await recordFailedSignIn(owner.user_id, { method: 'password', ...laptop }, NOW)
  expect((await enter(owner, laptop)).is_new_device).toBe(false)
  await recordFailedSignIn(owner.user_id, { method: 'password', ...phone }, NOW)
  expect((await enter(owner, phone)).is_new_device).toBe(true)
  expect((await enter(owner, phone, later(1))).is_new_device).toBe(false)
  expect((await enter(owner, laptop, later(1))).is_new_device).toBe(false)
  // A cookie that was copied into another kind of browser.
  expect((await enter(owner, { ...phone, device: 'laptop' }, later(1))).is_new_device).toBe(true)
  // A device known to one account is unknown to another.
  const other = await aUser()
  await enter(other, laptop)
  expect((await enter(other, phone)).is_new_device).toBe(true)
})

test('a newer version of the same browser is the same device', async () => {
  const owner = await aUser()
  await enter(owner)
  const updated = { ...laptop, user_agent: FIREFOX.replaceAll('140', '141') }
  expect((await enter(owner, updated, later(30))).is_new_device).toBe(false)
})

test('of failures ten a minute are kept', async () => {
  const owner = await aUser()
  for (let times = 0; times < 15; times += 1)
    await recordFailedSignIn(owner.user_id, { method: 'password', ...phone }, NOW)
  expect((await listed(owner)).total).toBe(10)
})

test('after 90 days a sign-in is forgotten, but not the last one that came in', async () => {
  const owner = await aUser()
  await enter(owner, laptop)
  await enter(owner, phone, later(1))
  await recordFailedSignIn(owner.user_id, { method: 'password', ...laptop }, later(2))
  await removeOldSignIns(later(90))
  expect((await listed(owner)).total).toBe(3)
  await removeOldSignIns(later(93))
  expect((await listed(owner)).items).toMatchObject([{ device: 'Safari on iPhone', succeeded: true }])
  // Forgotten after so long.
  expect((await enter(owner, laptop, later(94))).is_new_device).toBe(true)
})

test('the mail says what happened, and its link ends every session once and leads to a new password', async () => {
  const made = await createUserWithPassword(
    `n-${crypto.randomUUID()}@example.com`,
    'N',
    'correct horse battery',
  )
  if (!made) throw new Error('the address was taken')
  const mine = await enter(made)
  const theirs = await enter(made, phone)
  expect(await mailNewDevice(theirs.sign_in_id, NOW)).toBe('mailed')
  const [mail] = sink.messages
  expect(mail?.to).toEqual([made.email])
  for (const part of ['New sign-in to Opener: Safari on iPhone', '1 March 2030', '2001:db8:85a3::/48'])
    expect(mail?.raw).toContain(part)
  const token = linkIn(mail?.raw)
  const url = await disownSignIn(token, NOW)
  for (const { session_id } of [mine, theirs])
    expect(await userOfSession(made.user_id, session_id, NOW)).toBeNull()
  await expect(disownSignIn(token, NOW)).rejects.toMatchObject({ code: 'grant_invalid' })
  await resetPassword(url?.split('/').at(-1) ?? '', 'a new and better one', NOW)
  const log = (await call(ListAuditEvents, { as: made })).body.items.map(({ operation }) => operation)
  expect(log.toSorted()).toEqual(['disownSignIn', 'resetPassword'])
})

test('of two mails each has a link that works, for a week', async () => {
  const owner = await aUser()
  const { user_id } = owner
  await db.user.update({ where: { user_id }, data: { email_verified_at: NOW } })
  const passkey = { name: 'P', credential_id: user_id, public_key: Buffer.from('x'), transports: [] }
  await db.passkey.create({ data: { ...passkey, user_id, backup_eligible: false, backed_up: false } })
  await enter(owner)
  for (const device of ['a', 'b']) {
    const { sign_in_id } = await enter(owner, { ...phone, device })
    await mailNewDevice(sign_in_id, NOW)
  }
  const [first, second] = sink.messages.map(({ raw }) => linkIn(raw))
  await expect(disownSignIn(second ?? '', later(7))).rejects.toMatchObject({ code: 'grant_invalid' })
  // The account has no password, so there is none to reset.
  expect(await disownSignIn(first ?? '', later(6))).toBeNull()
  expect(await disownSignIn(second ?? '', later(6))).toBeNull()
})

test('nothing is mailed where the instance cannot, or where nobody vouches for the address', async () => {
  const owner = await aUser()
  await enter(owner)
  const { sign_in_id } = await enter(owner, phone)
  await db.user.update({
    where: { user_id: owner.user_id },
    data: { email: `${owner.user_id}@identity.invalid` },
  })
  expect(await mailNewDevice(sign_in_id, NOW)).toBe('no address')
  const good = env().NOTIFY_SMTP_URL
  env().NOTIFY_SMTP_URL = undefined
  expect(await mailNewDevice(sign_in_id, NOW)).toBe('no mail')
  env().NOTIFY_SMTP_URL = good
  expect(sink.messages).toEqual([])
})

test('of new devices an account is mailed five times in an hour, and an hour later again', async () => {
  const owner = await aUser()
  await enter(owner)
  const told = async (device: string, at: Date) =>
    mailNewDevice((await enter(owner, { ...phone, device }, at)).sign_in_id, at)
  for (let times = 0; times < 5; times += 1) expect(await told(`d${times}`, NOW)).toBe('mailed')
  expect(await told('d5', NOW)).toBe('mailed often enough')
  expect(await told('d6', new Date(NOW.getTime() + 60_000))).toBe('mailed often enough')
  expect(await told('d7', later(1))).toBe('mailed')
  expect(sink.messages).toHaveLength(6)
})
