import { expect, test } from 'vitest'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { EraseAccount, PrepareErasure } from '#lib/contracts/workspaces/erasure'
import { db } from '#lib/db/client'
import { userOfProvider } from '#lib/services/workspaces/sign-in/identities'
import { makeLink } from '#lib/services/workspaces/sign-in/one-time-links'
import { openSession, userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { recordSignIn } from '#lib/services/workspaces/sign-in/sign-ins'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'

const NOW = new Date()
const OWN = { id: 'oidc', makes_accounts: true, links_by_email: false, only_domain: null }

/** A person who signs in by a provider and never had a password. */
async function aPerson() {
  const email = `gone-${crypto.randomUUID()}@example.com`
  const facts = {
    issuer: 'https://id.example',
    subject: email,
    name: 'G',
    said_email: email,
    email,
    hosted_domain: undefined,
  }
  const found = await userOfProvider(facts, OWN)
  if (!('user' in found)) throw new Error(found.refused)
  return { facts, ...found.user }
}

test('an account without a password is erased by its address and a token, and every way into it at once', async () => {
  const { facts, user_id, email } = await aPerson()
  const browser = { device: 'laptop', user_agent: 'Firefox/140', place: '203.0.113.7' }
  const session_id = await openSession(user_id, browser, NOW, 3600)
  await recordSignIn(user_id, { method: 'oidc', session_id, browser }, NOW)
  await makeLink({ purpose: 'not_me', user_id }, NOW)
  const token = await issueToken(user_id, NOW, session_id)
  const asked = (await call(PrepareErasure, { token })).body
  expect((await call(EraseAccount, { token, body: { password: 'anything' } })).status).toBe(409)
  const erased = await call(EraseAccount, { token, body: { email, token: asked.token } })
  expect(erased.status).toBe(200)
  expect(await userOfSession(user_id, session_id, NOW)).toBeNull()
  expect((await call(ReadCurrentUser, { token })).status).toBe(401)
  const where = { user_id }
  const left = await Promise.all([
    db.user.count({ where }),
    db.identity.count({ where }),
    db.signIn.count({ where }),
    db.userSession.count({ where }),
    db.oneTimeLink.count({ where }),
  ])
  expect(left).toEqual([0, 0, 0, 0, 0])
  // After the erasure the same provider account creates a new user.
  const again = await userOfProvider(facts, OWN)
  expect('user' in again && again.user.user_id).not.toBe(user_id)
})
