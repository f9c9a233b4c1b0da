import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { canMailPeople } from '#lib/services/telling/account-mail'
import { resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import { admitResetAsk, mailReset } from '#lib/services/workspaces/sign-in/reset-by-mail'
import { openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { createUserWithPassword } from '#lib/services/workspaces/users'
import { aUser } from '#tests/support/scenes/factories'
import { aNotifySink, decoded } from '#tests/support/servers/notify-sink'

const NOW = new Date()
const MINUTE = 60_000
const later = (minutes: number) => new Date(NOW.getTime() + minutes * MINUTE)

const sink = aNotifySink()

async function aPerson() {
  const made = await createUserWithPassword(
    `r-${crypto.randomUUID()}@example.com`,
    'P',
    'correct horse battery',
  )
  if (!made) throw new Error('the address was taken')
  return made
}
const mailed = () => sink.messages.map(({ raw }) => decoded(raw))
const linkIn = (raw = '') => /\/reset-password\/([\w-]{43})/.exec(raw)?.[1] ?? ''

test('the mail has a link that sets a password once and ends every session', async () => {
  const person = await aPerson()
  const session = await openSession(person.user_id, { user_agent: null, place: null }, NOW, 3600)
  expect(await mailReset(person.email.toUpperCase(), NOW)).toEqual({
    user_id: person.user_id,
    said: 'mailed',
  })
  const [raw] = mailed()
  expect(sink.messages.map(({ to }) => to)).toEqual([[person.email]])
  expect(raw).toContain('Subject: Set a new password for Opener')
  expect(raw).toContain('Auto-Submitted: auto-generated')
  expect(raw).toContain('text/html')
  expect(await resetPassword(linkIn(raw), 'a new and better one', later(59))).toMatchObject({
    user_id: person.user_id,
  })
  expect(await userOfSession(person.user_id, session, later(59))).toBeNull()
  const again = resetPassword(linkIn(raw), 'another one yet', later(59))
  await expect(again).rejects.toMatchObject({ code: 'grant_invalid' })
})

test('an address that nobody has is written to by nobody', async () => {
  expect(await mailReset('nobody@example.com', NOW)).toEqual({ user_id: null, said: 'no account' })
  expect(sink.messages).toEqual([])
})

test('one address gets one mail in ten minutes, however often and from wherever it is asked', async () => {
  const { email } = await aPerson()
  await Promise.all([mailReset(email, NOW), mailReset(email, NOW)])
  await mailReset(email, later(2))
  await mailReset(email, later(9))
  expect(sink.messages).toHaveLength(1)
  await mailReset(email, later(10))
  expect(sink.messages).toHaveLength(2)
  // Of two links only the later one is valid.
  const [first, second] = mailed()
  await expect(resetPassword(linkIn(first), 'a new and better one', later(11))).rejects.toMatchObject({
    code: 'grant_invalid',
  })
  await resetPassword(linkIn(second), 'a new and better one', later(11))
})

test('one place asks five times a minute, for whomever', async () => {
  for (let times = 0; times < 5; times += 1) await admitResetAsk('203.0.113.40', NOW)
  await expect(admitResetAsk('203.0.113.40', NOW)).rejects.toMatchObject({ code: 'rate_limited' })
  await admitResetAsk('203.0.113.41', NOW)
})

test('whoever signs in by a provider alone is told so, and gets no link to a password', async () => {
  const { user_id, email } = await aUser()
  await db.identity.create({ data: { issuer: 'https://id.example', subject: user_id, user_id } })
  expect(await mailReset(email, NOW)).toMatchObject({ said: 'mailed' })
  expect(mailed()[0]).toContain('it uses an identity provider')
  expect(linkIn(mailed()[0])).toBe('')
})

test('a server that refuses is said to the log, and nothing is thrown', async () => {
  const { email } = await aPerson()
  const good = env().NOTIFY_SMTP_URL
  env().NOTIFY_SMTP_URL = 'smtp://127.0.0.1:1?security=none'
  const { said } = await mailReset(email, NOW)
  env().NOTIFY_SMTP_URL = good
  expect(said).not.toBe('mailed')
})

test('without a server of its own the instance does not offer it, and the sandbox counts for none', () => {
  const good = env().NOTIFY_SMTP_URL
  expect(canMailPeople()).toBe(true)
  env().NOTIFY_SMTP_URL = undefined
  expect(canMailPeople()).toBe(false)
  env().SANDBOX_SMTP_PORT = 2525
  expect(canMailPeople()).toBe(false)
  Object.assign(env(), { NOTIFY_SMTP_URL: good, SANDBOX_SMTP_PORT: undefined })
})
