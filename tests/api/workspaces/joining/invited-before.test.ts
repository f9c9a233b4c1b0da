import { expect, test } from 'vitest'
import { CreateInvitation } from '#lib/contracts/workspaces/invitations'
import { db } from '#lib/db/client'
import { signUpByInvitation } from '#lib/services/workspaces/joining/acceptance'
import { passwordLink, resetPassword } from '#lib/services/workspaces/sign-in/passwords'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { recordSignIn } from '#lib/services/workspaces/sign-in/sign-ins'
import { call } from '#tests/support/call'
import { aTemplate, aUser } from '#tests/support/scenes/factories'

const NOW = new Date()
const anAddress = () => `invited-${crypto.randomUUID()}@example.com`
/** A client address of its own for each: sign-ups are limited by address. */
const aPlace = () => `2001:db8:${crypto.randomUUID().slice(0, 4)}::1`
const aBrowser = (device: string) => ({ device, user_agent: null, place: aPlace() })

type Person = { user_id: string; workspace_id: string }

async function invite(from: Person, workspace_id: string) {
  const { user_id } = from
  await db.user.update({ where: { user_id }, data: { last_workspace_id: workspace_id } })
  const body = { email: anAddress(), role: 'admin' } as const
  const invited = await call(CreateInvitation, { as: from, params: { workspace_id }, body })
  expect(invited.status).toBe(201)
  return invited.body
}

/** An invited person creates an account with the link, which the inviter could have done too. */
async function invited(from: Person, workspace_id: string): Promise<Person> {
  const { url } = await invite(from, workspace_id)
  const fields = { name: 'Guest', password: 'the password of a guest' }
  const made = await signUpByInvitation(url.split('/').at(-1) ?? '', fields, aPlace(), NOW)
  if (!made) throw new Error('the address was taken')
  return made
}

/** An account whose address is unproven, with a team: one invited member, who invited another, and one pending invitation. */
async function withTeam() {
  const inviter = await aUser()
  const made = await invited(inviter, inviter.workspace_id)
  const { user_id, workspace_id } = made
  const browser = aBrowser('of whoever made it')
  const session_id = await openSession(user_id, browser, NOW, 3600)
  await recordSignIn(user_id, { method: 'sign_up', session_id, browser }, NOW)
  const first = await invited(made, workspace_id)
  const second = await invited(first, workspace_id)
  await invite(made, workspace_id)
  const { template_id } = await aTemplate({ ...second, workspace_id })
  const { url } = await passwordLink(user_id, NOW, true)
  return { made, second, browser, template_id, token: url.split('/').at(-1) ?? '' }
}

async function teamLeft({ workspace_id, user_id }: Person) {
  const members = await db.member.count({ where: { workspace_id, NOT: { user_id } } })
  const open = { workspace_id, accepted_at: null, revoked_at: null }
  return { members, invitations: await db.invitation.count({ where: open }) }
}

test('whom an account invited leaves it with the first proof of its address, and what they made stays', async () => {
  const { made, second, template_id, token } = await withTeam()
  expect(await teamLeft(made)).toEqual({ members: 2, invitations: 1 })
  await resetPassword(token, 'a new and better one', NOW, aBrowser('of the owner'))
  expect(await teamLeft(made)).toEqual({ members: 0, invitations: 0 })
  const { user_id, workspace_id } = made
  const removals = { workspace_id, user_id, operation: 'removeMember' }
  expect(await db.auditEvent.count({ where: removals })).toBe(2)
  expect(await db.template.findUnique({ where: { template_id } })).toMatchObject({ user_id })
  // The workspace that the account was invited to, and those that its guests own, are not affected.
  expect(await db.member.count({ where: { user_id } })).toBe(2)
  expect(await db.member.count({ where: { user_id: second.user_id } })).toBe(1)
})

test('a guest who has no other workspace gets one', async () => {
  const { made, second, token } = await withTeam()
  await db.workspace.delete({ where: { workspace_id: second.workspace_id } })
  await resetPassword(token, 'a new and better one', NOW)
  expect(await teamLeft(made)).toEqual({ members: 0, invitations: 0 })
  expect(await db.member.findMany({ where: { user_id: second.user_id } })).toMatchObject([{ role: 'owner' }])
})

test('whoever shows it in a browser that the account was opened from before keeps their team', async () => {
  const { made, browser, token } = await withTeam()
  await resetPassword(token, 'a new and better one', NOW, browser)
  expect(await teamLeft(made)).toEqual({ members: 2, invitations: 0 })
})
