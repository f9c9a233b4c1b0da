import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import { unseal } from '#lib/db/seal'
import { createGmailProvider } from '#lib/providers/mail-api/gmail/send'
import { createGraphProvider } from '#lib/providers/mail-api/graph/send'
import { routedMail } from '#lib/providers/mail-api/routed'
import { accessToken } from '#lib/services/senders/grants/access-token'
import { connectOrganizationMailboxes } from '#lib/services/senders/grants/organizations/connect-mailboxes'
import {
  createOrganization,
  deleteOrganization,
  updateOrganization,
} from '#lib/services/senders/grants/organizations/organizations'
import { aUser } from '#tests/support/scenes/factories'
import { MONDAY, minutes } from '#tests/support/scenes/launched'
import { aProvider } from '#tests/support/scenes/smtp'
import { aGmailServer } from '#tests/support/servers/gmail'
import { aGraphServer } from '#tests/support/servers/graph'
import type { MailApiServerOptions } from '#tests/support/servers/mail-api'
import {
  APP,
  aKeyFile,
  anOrganizationServer,
  type OrganizationServer,
} from '#tests/support/servers/organization'

let at: OrganizationServer
let file: Awaited<ReturnType<typeof aKeyFile>>
const closers: (() => Promise<unknown>)[] = []
beforeAll(async () => {
  at = await anOrganizationServer()
  file = await aKeyFile()
  at.trust(file)
  closers.push(at.close)
})
afterAll(() => Promise.all(closers.map((close) => close())))
const DELEGATED = 'https://www.googleapis.com/auth/gmail.modify'
afterEach(async () => {
  at.state.down = false
  at.state.delegated = new Set([DELEGATED])
  at.state.secrets = new Set([APP.client_secret])
  at.state.unknown.clear()
  at.trust(file)
  await db.mailbox.deleteMany()
  await db.mailOrganization.deleteMany()
})

type Vendor = 'google' | 'microsoft'
const bodyOf = (vendor: Vendor) =>
  vendor === 'google'
    ? { vendor, name: 'Company', service_account_key: file.text }
    : { vendor, name: 'Company', ...APP }

const created = (workspace_id: string, vendor: Vendor) =>
  createOrganization(workspace_id, bodyOf(vendor), MONDAY, at.find)

/** A workspace with an organization, and the API of its vendor. */
async function aScene(vendor: Vendor, options: MailApiServerOptions & { user?: string } = {}) {
  const { workspace_id } = await aUser()
  const organization = await created(workspace_id, vendor)
  const serve = vendor === 'google' ? aGmailServer : aGraphServer
  const server = await serve({ takesToken: (token) => at.live.access.has(token), ...options })
  closers.push(server.close)
  const how = { origin: server.origin, outbound: { policy: { allow_private_hosts: true } } }
  const mail = routedMail(aProvider(), { gmail: createGmailProvider(how), graph: createGraphProvider(how) })
  const { organization_id } = organization
  const connect = (...addresses: string[]) =>
    connectOrganizationMailboxes(
      workspace_id,
      organization_id,
      addresses.map((address) => ({ address })),
      { now: MONDAY, mail, find: at.find },
    )
  const ask = (mailbox_id: string, now: Date) =>
    accessToken(mailbox_id, { pool: pool(), now, vendors: at.vendors })
  return { workspace_id, organization, organization_id, server, connect, ask }
}
const organizationRow = (organization_id: string) =>
  db.mailOrganization.findUniqueOrThrow({ where: { organization_id } })
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => null,
    ({ code, message }) => `${code}: ${message}`,
  )

describe('connecting an organization', () => {
  test.each(['google', 'microsoft'] as const)(
    '%s: its key is tried, sealed for its row, and in no answer',
    async (vendor) => {
      const { workspace_id } = await aUser()
      const organization = await created(workspace_id, vendor)
      expect(organization).toMatchObject({ vendor, name: 'Company', mailboxes: 0, failing_cause: null })
      const row = await organizationRow(organization.organization_id)
      const secret = vendor === 'google' ? file.fields.private_key : APP.client_secret
      expect(unseal(row.secret, row.organization_id)).toBe(secret)
      expect(() => unseal(row.secret)).toThrow()
      expect(JSON.stringify(organization)).not.toContain('PRIVATE KEY')
      expect(JSON.stringify(organization)).not.toContain(APP.client_secret)
    },
  )

  test('a key that its vendor refuses is not kept, and nothing says what it was', async () => {
    const { workspace_id } = await aUser()
    const stranger = await aKeyFile()
    const google = { ...bodyOf('google'), service_account_key: stranger.text } as const
    const microsoft = { ...bodyOf('microsoft'), client_secret: 'a wrong secret' } as const
    const said = [
      await codeOf(createOrganization(workspace_id, google as never, MONDAY, at.find)),
      await codeOf(createOrganization(workspace_id, microsoft as never, MONDAY, at.find)),
    ]
    for (const each of said) expect(each).toMatch(/^organization_key_refused/)
    expect(said[0]).toContain('Invalid JWT Signature')
    expect(said[1]).toContain('AADSTS7000215')
    expect(said.join()).not.toContain('a wrong secret')
    expect(await db.mailOrganization.count({ where: { workspace_id } })).toBe(0)
  })

  test('a vendor out of reach says nothing of a key', async () => {
    const { workspace_id } = await aUser()
    at.state.down = true
    for (const vendor of ['google', 'microsoft'] as const)
      expect(await codeOf(created(workspace_id, vendor))).toMatch(/^provider_unavailable/)
  })

  test('what a key’s file says of where tokens come from is not followed', async () => {
    const { workspace_id } = await aUser()
    const asked = at.calls.length
    await created(workspace_id, 'google')
    expect(file.fields.token_uri).toContain('127.0.0.1:9')
    expect(at.calls).toHaveLength(asked + 1)
  })
})

describe('connecting its mailboxes', () => {
  test('google: a report of each, and only what was opened is kept', async () => {
    const { connect, workspace_id, organization_id } = await aScene('google')
    at.state.unknown.add('gone@company.test')
    await connect('there@company.test')
    const report = await connect(
      'ana@company.test',
      'gone@company.test',
      'eve@elsewhere.test',
      'there@company.test',
    )
    expect(report).toMatchObject({ connected: 1, already: 1, refused: 2 })
    expect(report.rows.map(({ address, outcome, cause }) => [address, outcome, cause])).toEqual([
      ['ana@company.test', 'connected', null],
      ['gone@company.test', 'refused', 'not_found'],
      ['eve@elsewhere.test', 'refused', 'not_allowed'],
      ['there@company.test', 'already', null],
    ])
    expect(report.rows[2]?.remedy).toContain('to that organization')
    const grants = await db.mailboxGrant.findMany({ where: { workspace_id }, include: { mailbox: true } })
    expect(grants.map(({ mailbox }) => mailbox.address).toSorted()).toEqual([
      'ana@company.test',
      'there@company.test',
    ])
    for (const grant of grants) {
      expect(grant).toMatchObject({ organization_id, route: 'api', refresh_token: null })
      expect(at.live.access).toContain(unseal(grant.access_token ?? '', grant.mailbox_id))
    }
    expect(JSON.stringify(report)).not.toMatch(/access-/)
  })

  test('microsoft: by the address of the mailbox, of which Microsoft knows one', async () => {
    const { connect, server } = await aScene('microsoft', { user: 'ana@company.test' })
    const report = await connect('ana@company.test', 'alias@company.test')
    expect(report.rows.map(({ outcome, cause }) => [outcome, cause])).toEqual([
      ['connected', null],
      ['refused', 'not_found'],
    ])
    expect(server.asked.map(({ path }) => path)).toContain('/v1.0/users/ana%40company.test/mailFolders/inbox')
  })

  test('without the delegation, or without its scope, each is refused with what to do', async () => {
    const { connect } = await aScene('google')
    at.state.delegated = new Set(['https://www.googleapis.com/auth/gmail.readonly'])
    const { rows } = await connect('ana@company.test')
    expect(rows).toMatchObject([{ outcome: 'refused', cause: 'not_allowed', mailbox_id: null }])
    expect(rows[0]?.remedy).toContain('Domain-wide delegation')
    expect(await db.mailbox.count()).toBe(0)
  })

  const googleError = (status: number, reason: string, message: string) => ({
    status,
    body: { error: { code: status, message, errors: [{ reason }] } },
  })
  test.each([
    ['is off', 'google', googleError(403, 'accessNotConfigured', 'Gmail API has not been used'), 'api_off'],
    ['takes no more', 'google', googleError(429, 'rateLimitExceeded', 'Quota'), 'throttled'],
    [
      'has no Gmail for it',
      'google',
      googleError(400, 'failedPrecondition', 'Mail service not enabled'),
      'not_allowed',
    ],
    ['fails', 'google', { status: 503, body: {} }, 'unreachable'],
    [
      'may not open it',
      'microsoft',
      { status: 403, body: { error: { code: 'ErrorAccessDenied', message: 'Access is denied.' } } },
      'not_allowed',
    ],
  ] as const)('an API that %s connects nothing (%s)', async (_, vendor, reply, cause) => {
    const { connect } = await aScene(vendor, { play: () => reply })
    const { rows } = await connect('ana@company.test')
    expect(rows).toMatchObject([{ outcome: 'refused', cause }])
    expect(rows[0]?.remedy).toBeTruthy()
    expect(await db.mailbox.count()).toBe(0)
  })

  test('a key that was taken back meanwhile refuses all, and says so', async () => {
    const { connect } = await aScene('google')
    at.state.keys.clear()
    const { rows } = await connect('ana@company.test', 'bo@company.test')
    expect(rows.map(({ cause }) => cause)).toEqual(['key_refused', 'key_refused'])
  })
})

describe('tokens', () => {
  async function twoMailboxes(vendor: Vendor) {
    const scene = await aScene(vendor)
    await scene.connect('ana@company.test', 'bo@company.test')
    const { workspace_id } = scene
    const ids = (await db.mailbox.findMany({ where: { workspace_id }, orderBy: { address: 'asc' } })).map(
      ({ mailbox_id }) => mailbox_id,
    )
    const statuses = async () =>
      (await db.mailbox.findMany({ where: { workspace_id }, orderBy: { address: 'asc' } })).map(
        ({ status, failing_cause }) => [status, failing_cause],
      )
    const told = () => db.notification.findMany({ where: { workspace_id } })
    return { ...scene, first: ids[0] ?? '', second: ids[1] ?? '', statuses, told }
  }
  const refuse = (vendor: Vendor) => (vendor === 'google' ? at.state.keys.clear() : at.state.secrets.clear())
  const LATER = new Date(Date.now() + 86_400_000)

  test.each(['google', 'microsoft'] as const)(
    '%s: a key that is refused ends no mailbox; all wait, people are told once, and a new key lets all go on',
    async (vendor) => {
      const { workspace_id, organization_id, first, second, ask, statuses, told } = await twoMailboxes(vendor)
      refuse(vendor)
      expect(await ask(first, LATER)).toMatchObject({ ok: false, cause: 'misconfigured' })
      expect(await statuses()).toEqual([
        ['failing', 'misconfigured'],
        ['failing', 'misconfigured'],
      ])
      expect(await ask(second, LATER)).toMatchObject({ ok: false, cause: 'misconfigured' })
      const notices = await told()
      expect(notices.map(({ kind }) => kind)).toEqual(['mailbox_failing'])
      expect(notices[0]?.data).toMatchObject({ address: '2 mailboxes of Company' })
      expect(await db.mailboxGrant.count({ where: { workspace_id, ended_cause: { not: null } } })).toBe(0)
      expect(await organizationRow(organization_id)).toMatchObject({ failing_cause: 'misconfigured' })
      const another = await aKeyFile()
      at.trust(another)
      at.state.secrets.add('a new secret')
      const key =
        vendor === 'google' ? { service_account_key: another.text } : { client_secret: 'a new secret' }
      const changed = await updateOrganization(workspace_id, organization_id, key, LATER, at.find)
      expect(changed).toMatchObject({ failing_cause: null, failing_since: null })
      expect(await statuses()).toEqual([
        ['connected', null],
        ['connected', null],
      ])
      expect(await ask(first, LATER)).toMatchObject({ ok: true })
    },
  )

  test('a delegation that is taken back lets them wait, and once it is back they try at once', async () => {
    const { organization_id, first, second, ask, statuses, told } = await twoMailboxes('google')
    at.state.delegated.clear()
    expect(await ask(first, LATER)).toMatchObject({ ok: false, cause: 'needs_admin' })
    await ask(second, LATER)
    expect(await statuses()).toEqual([
      ['failing', 'needs_admin'],
      ['failing', 'needs_admin'],
    ])
    expect(await told()).toHaveLength(1)
    at.state.delegated.add(DELEGATED)
    const backAt = new Date(LATER.getTime() + 1_000)
    expect(await ask(first, backAt)).toMatchObject({ ok: true })
    expect(await organizationRow(organization_id)).toMatchObject({ failing_cause: null })
    const waits = await db.mailbox.findMany({ where: { mailbox_id: { in: [first, second] } } })
    expect(waits.map(({ next_try_at }) => next_try_at)).toEqual([backAt, backAt])
  })

  test('one that was suspended concerns nobody else, and no organization', async () => {
    const { organization_id, first, second, ask, statuses } = await twoMailboxes('google')
    at.state.unknown.add('ana@company.test')
    expect(await ask(first, LATER)).toMatchObject({ ok: false, cause: 'sign_in' })
    expect(await ask(second, LATER)).toMatchObject({ ok: true })
    expect(await statuses()).toEqual([
      ['connected', null],
      ['connected', null],
    ])
    expect(await organizationRow(organization_id)).toMatchObject({ failing_cause: null })
  })

  test('a vendor out of reach is nobody’s fault', async () => {
    const { organization_id, first, ask, told } = await twoMailboxes('google')
    at.state.down = true
    expect(await ask(first, LATER)).toMatchObject({ ok: false, cause: 'unreachable' })
    expect(await organizationRow(organization_id)).toMatchObject({ failing_cause: null })
    expect(await told()).toEqual([])
  })

  test('a token is kept until five minutes before it runs out, and names its mailbox where the token does not', async () => {
    const { first, ask } = await twoMailboxes('google')
    const asked = at.calls.length
    const known = await ask(first, MONDAY)
    expect(known).toMatchObject({ ok: true, api: 'gmail', api_user: null })
    expect(at.calls).toHaveLength(asked)
    const other = await aScene('microsoft')
    const { rows } = await other.connect('ana@company.test')
    expect(await other.ask(rows[0]?.mailbox_id ?? '', minutes(1))).toMatchObject({
      api: 'graph',
      api_user: 'ana@company.test',
    })
  })

  test('an organization is removed once none of its mailboxes is left', async () => {
    const { workspace_id, organization_id } = await twoMailboxes('google')
    expect(await codeOf(deleteOrganization(workspace_id, organization_id))).toMatch(/^organization_in_use/)
    await db.mailbox.deleteMany({ where: { workspace_id } })
    await deleteOrganization(workspace_id, organization_id)
    expect(await db.mailOrganization.count({ where: { workspace_id } })).toBe(0)
  })
})
