import { beforeAll, expect, test } from 'vitest'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import {
  AcceptInvitation,
  CreateInvitation,
  ListInvitations,
  ResendInvitation,
  RevokeInvitation,
} from '#lib/contracts/workspaces/invitations'
import { RemoveMember, UpdateMember } from '#lib/contracts/workspaces/members'
import { db } from '#lib/db/client'
import { env } from '#lib/env'
import { signUpByInvitation } from '#lib/services/workspaces/joining/acceptance'
import { signInByPassword } from '#lib/services/workspaces/sign-in/by-password'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { aNotifySink, decoded } from '#tests/support/servers/notify-sink'

const sink = aNotifySink()
beforeAll(() => {
  env().RATE_LIMIT_WRITE = 100_000
})

type Owner = { user_id: string; workspace_id: string }
const here = ({ workspace_id }: Owner) => ({ workspace_id })
const address = () => `i-${crypto.randomUUID()}@example.com`
const tokenIn = (url: string) => url.split('/').at(-1) ?? ''
const invite = (as: Owner, email: string, role = 'member') =>
  call(CreateInvitation, { as, params: here(as), body: { email, role } })
const accept = (as: { user_id: string }, url: string) =>
  call(AcceptInvitation, { as, body: { token: tokenIn(url) } })

test('somebody invited by mail is in once they accept, and the link is then used', async () => {
  const [owner, guest] = [await aUser(), await aUser()]
  const made = await invite(owner, guest.email.toUpperCase(), 'viewer')
  expect([made.status, made.body]).toMatchObject([201, { email: guest.email, role: 'viewer', mailed: true }])
  const mail = sink.messages.find(({ to }) => to.includes(guest.email))
  expect(decoded(mail?.raw)).toContain(made.body.url)
  const { items } = (await call(ListInvitations, { as: owner, params: here(owner) })).body
  expect(items).toHaveLength(1)
  expect(JSON.stringify(items)).not.toContain(tokenIn(made.body.url))

  const joined = await accept(guest, made.body.url)
  expect([joined.status, joined.body]).toMatchObject([
    200,
    { workspace_id: owner.workspace_id, role: 'viewer' },
  ])
  expect((await call(ReadCurrentUser, { as: guest })).body).toMatchObject({
    workspace_id: owner.workspace_id,
    role: 'viewer',
  })
  const again = await accept(guest, made.body.url)
  expect([again.status, again.error.detail]).toEqual([409, 'invitation_used'])
  expect((await call(ListInvitations, { as: owner, params: here(owner) })).body.total).toBe(0)
})

test('the log of the workspace says who came by which invitation, also of who signed up by it, and their own says nothing', async () => {
  const [owner, guest] = [await aUser(), await aUser()]
  const [one, another] = [await invite(owner, guest.email), await invite(owner, address())]
  await accept(guest, one.body.url)
  const fields = { name: 'Ana', password: 'correct horse battery' }
  const made = await signUpByInvitation(tokenIn(another.body.url), fields, '203.0.113.9', new Date())
  const joined = async ({ workspace_id }: { workspace_id: string }) =>
    (await db.auditEvent.findMany({ where: { workspace_id, operation: 'acceptInvitation' } })).map(
      ({ user_id, target, by }) => [user_id, target, by],
    )
  expect((await joined(owner)).toSorted()).toEqual(
    [
      [guest.user_id, { invitation_id: one.body.invitation_id }, 'person'],
      [made?.user_id, { invitation_id: another.body.invitation_id }, 'person'],
    ].toSorted(),
  )
  expect(await joined(guest)).toEqual([])
})

test('of two at once that use one link, one is let in', async () => {
  const [owner, guest] = [await aUser(), await aUser()]
  const { url } = (await invite(owner, guest.email)).body
  const statuses = (await Promise.all([accept(guest, url), accept(guest, url)])).map(({ status }) => status)
  expect(statuses.toSorted()).toEqual([200, 409])
})

test('a link is good for the address that it was sent to, and for no other', async () => {
  const [owner, guest, thief] = [await aUser(), await aUser(), await aUser()]
  const { url } = (await invite(owner, guest.email)).body
  const refused = await accept(thief, url)
  expect([refused.status, refused.error.detail]).toEqual([403, 'invitation_for_another'])
  expect((await accept(guest, url)).status).toBe(200)
  expect((await accept(guest, 'https://x.test/invite/nothing')).error.detail).toBe('invitation_not_found')
})

test('an invitation that was revoked, sent again or has expired opens nothing', async () => {
  const [owner, guest] = [await aUser(), await aUser()]
  const first = (await invite(owner, guest.email)).body
  const params = { ...here(owner), invitation_id: first.invitation_id }
  const second = (await call(ResendInvitation, { as: owner, params })).body
  expect(second.url).not.toBe(first.url)
  expect((await accept(guest, first.url)).error.detail).toBe('invitation_not_found')
  expect((await call(RevokeInvitation, { as: owner, params })).status).toBe(204)
  expect((await accept(guest, second.url)).error.detail).toBe('invitation_revoked')
  expect((await call(RevokeInvitation, { as: owner, params })).status).toBe(404)
  expect((await call(ResendInvitation, { as: owner, params })).status).toBe(404)
  const third = (await invite(owner, guest.email)).body
  await db.invitation.update({
    where: { invitation_id: third.invitation_id },
    data: { expires_at: new Date() },
  })
  expect((await accept(guest, third.url)).error.detail).toBe('invitation_expired')
})

test('an admin neither revokes nor resends the invitation of an owner', async () => {
  const owner = await aUser()
  const admin = await aMember(owner, 'admin')
  const { invitation_id, url } = (await invite(owner, address(), 'owner')).body
  for (const verb of [RevokeInvitation, ResendInvitation]) {
    const refused = await call(verb, { as: admin, params: { ...here(owner), invitation_id } })
    expect([refused.status, refused.error.detail]).toEqual([403, 'role_above_own'])
  }
  expect(await db.invitation.count({ where: { invitation_id, revoked_at: null } })).toBe(1)
  expect((await accept(await aUser(), url)).error.detail).toBe('invitation_for_another')
})

test('who is a member or invited already is not invited, nor anybody above one’s own role', async () => {
  const owner = await aUser()
  const admin = await aMember(owner, 'admin')
  const refusals = [
    [await invite(owner, admin.email), 409, 'member_exists'],
    [await invite(admin, address(), 'owner'), 403, 'role_above_own'],
    [await invite(await aMember(owner, 'member'), address(), 'viewer'), 403, 'role_insufficient'],
  ] as const
  for (const [{ status, error }, expected, code] of refusals)
    expect([status, error.detail]).toEqual([expected, code])
  const email = address()
  expect((await invite(admin, email)).status).toBe(201)
  expect((await invite(admin, email)).error.detail).toBe('invitation_pending')
})

test('409 above 100 open invitations, also where two come at once', async () => {
  const owner = await aUser()
  const { workspace_id } = owner
  await db.invitation.createMany({
    data: Array.from({ length: 99 }, () => ({
      workspace_id,
      email: address(),
      role: 'viewer' as const,
      digest: crypto.randomUUID(),
      expires_at: new Date(),
    })),
  })
  const answers = await Promise.all([invite(owner, address()), invite(owner, address())])
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
  expect(answers.find(({ status }) => status === 409)?.error.detail).toBe('invitations_full')
})

test('without an account one is made behind the link, also where sign-up is closed', async () => {
  const owner = await aUser()
  const email = address()
  const token = tokenIn((await invite(owner, email)).body.url)
  const fields = { name: 'Ada', password: 'a rather long one' }
  const now = new Date()
  const user = await signUpByInvitation(token, fields, '192.0.2.9', now)
  expect(user).toMatchObject({ email, name: 'Ada' })
  expect(await signInByPassword({ email, password: fields.password }, '192.0.2.9', now)).toMatchObject({
    email,
  })
  expect((await call(ReadCurrentUser, { as: user ?? undefined })).body).toMatchObject({
    workspace_id: owner.workspace_id,
    role: 'member',
  })
  // The address has an account by now: an old link cannot set its password.
  expect(await signUpByInvitation(token, fields, '192.0.2.9', now)).toBeNull()
})

test('nobody comes in by the word of somebody who is out, nor above what they may give by now', async () => {
  const owner = await aUser()
  const [gone, lowered] = [await aMember(owner, 'admin'), await aMember(owner, 'admin')]
  const [guest, other] = [await aUser(), await aUser()]
  const byGone = await invite(gone, guest.email, 'admin')
  const byLowered = await invite(lowered, other.email, 'admin')
  const where = ({ user_id }: Owner) => ({ ...here(owner), user_id })
  expect((await call(RemoveMember, { as: owner, params: where(gone) })).status).toBe(204)
  expect(
    (await call(UpdateMember, { as: owner, params: where(lowered), body: { role: 'member' } })).status,
  ).toBe(200)
  for (const [person, { body }] of [
    [guest, byGone],
    [other, byLowered],
  ] as const) {
    const refused = await accept(person, body.url)
    expect([refused.status, refused.error.detail]).toEqual([409, 'invitation_revoked'])
  }
  const { items } = (await call(ListInvitations, { as: owner, params: here(owner) })).body
  expect(items).toMatchObject([{ email: other.email }])

  const params = { ...here(owner), invitation_id: byLowered.body.invitation_id }
  const anew = await call(ResendInvitation, { as: owner, params })
  expect((await accept(other, anew.body.url)).status).toBe(200)
})

test('one address is mailed ten invitations in an hour, from wherever; then the link is passed on by hand', async () => {
  const [owner, other] = [await aUser(), await aUser()]
  const email = address()
  const { invitation_id } = (await invite(owner, email)).body
  const params = { ...here(owner), invitation_id }
  for (let times = 1; times < 10; times += 1)
    expect((await call(ResendInvitation, { as: owner, params })).body.mailed).toBe(true)
  for (const { status, body } of [
    await call(ResendInvitation, { as: owner, params }),
    await invite(other, email),
  ]) {
    expect([status < 300, body.mailed]).toEqual([true, false])
    expect(body.url).toContain('/invite/')
  }
  expect(sink.messages.filter(({ to }) => to.includes(email))).toHaveLength(10)
  expect((await invite(owner, address())).body.mailed).toBe(true)
})
