import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { AuthorizeMailbox, CompleteMailboxOAuth, ReadMailVendors } from '#lib/contracts/senders/mailbox-oauth'
import { answerOfSandbox } from '#lib/services/senders/grants/vendors'
import { openSession } from '#lib/services/workspaces/sign-in/sessions'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

process.env.SANDBOX_SMTP_PORT = '2525'

async function aBrowser(owner: { user_id: string }) {
  const session = await openSession(owner.user_id, { user_agent: null, place: null }, new Date(), 3600)
  return issueToken(owner.user_id, new Date(), session)
}

test('says the exact redirect address and scopes of each vendor, and never a secret', async () => {
  const { status, body } = await call(ReadMailVendors, { as: await aUser() })
  expect(status).toBe(200)
  expect(body.items.map(({ vendor, is_ready }) => [vendor, is_ready])).toEqual([
    ['google', false],
    ['microsoft', false],
    ['sandbox', true],
  ])
  expect(body.items[0]?.redirect_uri).toMatch(/\/mailboxes\/callback\/google$/)
  expect(body.items[0]?.scopes).toContain('https://mail.google.com/')
})

test('503 where the instance has no client, 403 without a browser’s session', async () => {
  const owner = await aUser()
  const body = { vendor: 'google' }
  expect((await call(AuthorizeMailbox, { as: owner, body })).status).toBe(403)
  expect((await call(AuthorizeMailbox, { token: await aBrowser(owner), body })).status).toBe(503)
})

test('whoever says no at the sandbox connects nothing, though the form names an address', async () => {
  const owner = await aUser()
  const token = await aBrowser(owner)
  const asked = await call(AuthorizeMailbox, { token, body: { vendor: 'sandbox' } })
  const page = new URL(asked.body.url)
  page.searchParams.set('address', 'ana@company.test')
  page.searchParams.set('declined', '1')
  const query = new URL(answerOfSandbox(page.searchParams)).search.slice(1)
  const { status, error } = await call(CompleteMailboxOAuth, { token, body: { vendor: 'sandbox', query } })
  expect([status, error.detail]).toEqual([409, 'mailbox_not_allowed'])
})

test('the person who was asked connects the mailbox, once, and nobody else does', async () => {
  const owner = await aUser()
  const token = await aBrowser(owner)
  const asked = await call(AuthorizeMailbox, { token, body: { vendor: 'sandbox' } })
  const page = new URL(asked.body.url)
  expect(page.pathname).toBe('/mailboxes/sandbox-consent')
  page.searchParams.set('address', `ana-${randomUUID()}@company.test`)
  const query = new URL(answerOfSandbox(page.searchParams)).search.slice(1)
  const body = { vendor: 'sandbox', query }
  const other = await call(CompleteMailboxOAuth, { token: await aBrowser(await aUser()), body })
  expect([other.status, other.error.detail]).toEqual([409, 'grant_invalid'])
  const done = await call(CompleteMailboxOAuth, { token, body })
  expect(done.status).toBe(200)
  expect(done.body.oauth).toMatchObject({ vendor: 'sandbox', ended_cause: null })
  expect(done.text).not.toContain('token')
  expect((await call(CompleteMailboxOAuth, { token, body })).error.detail).toBe('grant_invalid')
})
