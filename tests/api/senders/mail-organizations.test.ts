import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import {
  ConnectOrganizationMailboxes,
  CreateMailOrganization,
  DeleteMailOrganization,
  ReadMailOrganization,
  ReadMailOrganizations,
  UpdateMailOrganization,
} from '#lib/contracts/senders/mail-organizations'
import { ReadMailbox, TestMailbox } from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { aMailbox, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'
import { aKeyFile } from '#tests/support/servers/organization'

// Set early: the environment is read once, on first use.
process.env.SANDBOX_SMTP_PORT = '2525'

const SANDBOX = { vendor: 'sandbox', name: 'Acme' }
const created = async (as: { user_id: string }) =>
  (await call(CreateMailOrganization, { as, body: SANDBOX })).body

test('an organization is connected, its mailboxes with it, and a report says what came of each', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  expect(organization_id).toMatch(/^[\da-f]{8}-[\da-f]{4}-7/)
  const known = await aMailbox(owner)
  const params = { organization_id }
  const mailboxes = [
    { address: 'Ana@Company.test', name: 'Ana Silva' },
    { address: 'ana@company.test' },
    { address: 'suspended.bo@company.test' },
    { address: known.address },
  ]
  const { status, body } = await call(ConnectOrganizationMailboxes, {
    as: owner,
    params,
    body: { mailboxes },
  })
  expect([status, body.connected, body.already, body.refused]).toEqual([200, 1, 1, 1])
  expect(body.rows).toMatchObject([
    { address: 'ana@company.test', outcome: 'connected', cause: null },
    { address: 'suspended.bo@company.test', outcome: 'refused', cause: 'not_found', mailbox_id: null },
    { address: known.address, outcome: 'already', mailbox_id: known.mailbox_id },
  ])
  expect(body.rows[1]?.remedy).toContain('suspended')
  const ana = await call(ReadMailbox, { as: owner, params: { mailbox_id: body.rows[0]?.mailbox_id ?? '' } })
  expect(ana.body).toMatchObject({ status: 'connected', oauth: { vendor: 'sandbox', organization_id } })
  expect((await call(ReadMailOrganization, { as: owner, params })).body).toMatchObject({ mailboxes: 1 })
  const refused = await call(DeleteMailOrganization, { as: owner, params })
  expect([refused.status, refused.error.detail]).toEqual([409, 'organization_in_use'])
})

test('what is no address is refused in its own row, and holds up no other', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  const mailboxes = [{ address: 'bo@' }, { address: 'Bo@Company.test' }, { address: 'bo at company.test' }]
  const params = { organization_id }
  const { status, body } = await call(ConnectOrganizationMailboxes, {
    as: owner,
    params,
    body: { mailboxes },
  })
  expect([status, body.connected, body.refused]).toEqual([200, 1, 2])
  expect(body.rows).toMatchObject([
    { address: 'bo@', outcome: 'refused', cause: 'not_an_address', said: null },
    { address: 'bo@company.test', outcome: 'connected' },
    { address: 'bo at company.test', outcome: 'refused', cause: 'not_an_address' },
  ])
  expect(body.rows[0]?.remedy).toContain('not an email address')
  const nothing = { mailboxes: [{ address: ' ' }] }
  expect((await call(ConnectOrganizationMailboxes, { as: owner, params, body: nothing })).status).toBe(422)
})

test('what it gives a mailbox is good for the sandbox’s server alone', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  const mailboxes = [{ address: 'ana@company.test' }]
  const { body } = await call(ConnectOrganizationMailboxes, {
    as: owner,
    params: { organization_id },
    body: { mailboxes },
  })
  const tested = await call(TestMailbox, {
    as: owner,
    params: { mailbox_id: body.rows[0]?.mailbox_id ?? '' },
  })
  expect(tested.status).toBe(200)
})

test('the list says what an administrator allows, and of a key nothing', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  const { body, text } = await call(ReadMailOrganizations, { as: owner })
  expect(body.items.map((item) => item.organization_id)).toEqual([organization_id])
  expect(body.vendors.map(({ vendor, permissions }) => [vendor, permissions])).toEqual([
    ['google', ['https://www.googleapis.com/auth/gmail.modify']],
    ['microsoft', ['Mail.ReadWrite', 'Mail.Send']],
    ['sandbox', []],
  ])
  expect(text).not.toContain('secret')
  expect(text).not.toContain('v2.')
})

const withKey = (service_account_key: string) => ({ vendor: 'google', name: 'Acme', service_account_key })

test('422 for what is no key file, without a word of what was given', async () => {
  const owner = await aUser()
  const { fields } = await aKeyFile()
  const broken = fields.private_key.replace(/\n.{20}/, '\nhere-is-a-private-word')
  const given = [
    'a private word',
    JSON.stringify({ ...fields, type: 'authorized_user', note: 'a private word' }),
    JSON.stringify({ ...fields, client_email: 'a private word' }),
    JSON.stringify({ ...fields, private_key: broken }),
  ]
  for (const each of given) {
    const { status, text } = await call(CreateMailOrganization, { as: owner, body: withKey(each) })
    expect(status).toBe(422)
    expect(text).toContain('service_account_key')
    expect(text).not.toMatch(/private[ -]word/)
  }
  expect(await db.mailOrganization.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test.each(['common', 'organizations', '../consumers', 'company.test/../x', 'a b.test', '.company.test'])(
  '422 for the tenant %j: a secret goes to one directory',
  async (tenant_id) => {
    const body = { vendor: 'microsoft', name: 'Acme', tenant_id, client_id: randomUUID(), client_secret: 's' }
    const { status, text } = await call(CreateMailOrganization, { as: await aUser(), body })
    expect(status).toBe(422)
    expect(text).toContain('tenant_id')
  },
)

test('a field of the other vendor is refused, and a name changes alone', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  const params = { organization_id }
  const foreign = await call(UpdateMailOrganization, { as: owner, params, body: { client_secret: 'new' } })
  expect(foreign.status).toBe(422)
  const renamed = await call(UpdateMailOrganization, {
    as: owner,
    params,
    body: { name: 'Other', version: 1 },
  })
  expect(renamed.body).toMatchObject({ name: 'Other', version: 2 })
  const late = await call(UpdateMailOrganization, { as: owner, params, body: { name: 'Late', version: 1 } })
  expect([late.status, late.error.detail]).toEqual([409, 'changed_meanwhile'])
  expect((await call(DeleteMailOrganization, { as: owner, params })).status).toBe(204)
  expect((await call(ReadMailOrganization, { as: owner, params })).status).toBe(404)
})

test('admins connect organizations; members and viewers see them, and others nothing', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  const params = { organization_id }
  const body = { mailboxes: [{ address: 'ana@company.test' }] }
  for (const role of ['member', 'viewer'] as const) {
    const as = await aMember(owner, role)
    expect((await call(CreateMailOrganization, { as, body: SANDBOX })).status).toBe(403)
    expect((await call(ConnectOrganizationMailboxes, { as, params, body })).status).toBe(403)
    expect((await call(DeleteMailOrganization, { as, params })).status).toBe(403)
    expect((await call(ReadMailOrganization, { as, params })).status).toBe(200)
  }
  const stranger = await aUser()
  expect((await call(ConnectOrganizationMailboxes, { as: stranger, params, body })).status).toBe(404)
  expect(
    await db.mailbox.count({ where: { address: 'ana@company.test', workspace_id: owner.workspace_id } }),
  ).toBe(0)
})

test('the audit log has what was done, and no key', async () => {
  const owner = await aUser()
  const { organization_id } = await created(owner)
  const params = { organization_id }
  await call(UpdateMailOrganization, { as: owner, params, body: { name: 'Other' } })
  const stranger = await aKeyFile()
  await call(UpdateMailOrganization, { as: owner, params, body: { service_account_key: stranger.text } })
  const events = await db.auditEvent.findMany({ where: { workspace_id: owner.workspace_id } })
  const written = JSON.stringify(events, (_, value) => (typeof value === 'bigint' ? String(value) : value))
  expect(written).toContain('createMailOrganization')
  expect(written).toContain('updateMailOrganization')
  expect(written).not.toContain('PRIVATE KEY')
})
