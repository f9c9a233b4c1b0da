import path from 'node:path'
import { unstable_doesMiddlewareMatch } from 'next/experimental/testing/server'
import { NextRequest } from 'next/server'
import { expect, test } from 'vitest'
import { CreateReportLink } from '#lib/contracts/campaigns/report-links'
import { UpdateBranding } from '#lib/contracts/workspaces/branding'
import { db } from '#lib/db/client'
import { ROOT } from '#scripts/up/settings'
import { call } from '#tests/support/call'
import { added, type Owner, publish, verify } from '#tests/support/scenes/domains'
import { aUser } from '#tests/support/scenes/factories'
import { launched } from '#tests/support/scenes/launched'

const { proxy, config }: { proxy: (request: NextRequest) => Promise<Response>; config: object } =
  await import(path.join(ROOT, 'proxy.ts'))

let made = 0
const aDomainName = () => `agency-${made++}.example.com`
const brand = (as: Owner, body: Record<string, unknown>) =>
  call(UpdateBranding, { as, params: { workspace_id: as.workspace_id }, body })

async function linkOf(owner: Owner, campaign_id: string) {
  const body = { name: 'For the client', campaign_ids: [campaign_id] }
  return (await call(CreateReportLink, { as: owner, body })).body.url
}

const ask = (host: string, path: string, { method = 'GET' } = {}) =>
  proxy(new NextRequest(`http://127.0.0.1:3000${path}`, { headers: { host }, method }))

test('report links are opened below a domain of the workspace, once its record and its key are in DNS', async () => {
  const { owner, campaign_id } = await launched({}, 1)
  const domain = aDomainName()
  const params = await added(owner, domain)
  expect((await brand(owner, { report_domain: domain.toUpperCase() })).body).toMatchObject({
    report_domain: domain,
    report_host: null,
  })
  expect(await linkOf(owner, campaign_id)).toMatch(/^http:\/\/opener\.test\/r\//)
  await publish(owner, params, ['reports'])
  expect((await verify(owner, params)).body.reports.status).toBe('found')
  // A host name that resolves to this instance does not prove that the domain is theirs.
  expect(await linkOf(owner, campaign_id)).toMatch(/^http:\/\/opener\.test\/r\//)
  await publish(owner, params, ['dkim'])
  await verify(owner, params)
  expect(await linkOf(owner, campaign_id)).toMatch(new RegExp(`^https://reports\\.${domain}/r/`))
})

test.each([
  ['reports.agency.example.com', '/api/v1/health', true],
  ['reports.agency.example.com', '/api/auth/csrf', true],
  ['reports.agency.example.com', '/mcp', true],
  ['opener.test', '/api/v1/health', false],
  ['xreports.agency.example.com', '/api/v1/health', false],
  ['opener.test', '/sign-in', true],
])('serverless hosts ask it of %s%s: %s', (host, pathname, asked) => {
  const url = `https://${host}${pathname}`
  expect(unstable_doesMiddlewareMatch({ config, url, headers: { host } })).toBe(asked)
})

test('a child has its parent’s host; somebody else with the same domain has not', async () => {
  const parent = await aUser()
  const domain = aDomainName()
  const params = await added(parent, domain)
  await publish(parent, params, ['reports', 'dkim'])
  await verify(parent, params)
  await brand(parent, { report_domain: domain })
  const { owner, campaign_id } = await launched({}, 1)
  const { workspace_id } = owner
  await db.workspace.update({ where: { workspace_id }, data: { parent_workspace_id: parent.workspace_id } })
  expect(await linkOf(owner, campaign_id)).toContain(`https://reports.${domain}/r/`)

  const thief = await launched({}, 1)
  expect((await brand(thief.owner, { report_domain: domain })).status).toBe(422)
  await verify(thief.owner, await added(thief.owner, domain))
  expect((await brand(thief.owner, { report_domain: domain })).body.report_host).toBeNull()
  expect(await linkOf(thief.owner, thief.campaign_id)).not.toContain(domain)
})

test('such a host has reports and nothing else; any other name changes nothing', async () => {
  const owner = await aUser()
  const domain = aDomainName()
  const params = await added(owner, domain)
  const host = `reports.${domain}`
  expect((await ask(host, '/sign-in')).status).toBe(200)
  await publish(owner, params, ['reports'])
  await verify(owner, params)
  for (const path of ['/', '/sign-in', '/home', '/rr/x', '/settings/branding'])
    for (const name of [host, `${host}:443`, host.toUpperCase()])
      expect([path, name, (await ask(name, path)).status]).toEqual([path, name, 404])
  for (const path of ['/r/some-token', '/_next/static/x.js', '/files/logos/a/b'])
    expect([path, (await ask(host, path)).status]).toEqual([path, 200])
  for (const path of [
    '/api/v1/health',
    '/api/auth/csrf',
    '/mcp',
    '/metrics',
    '/files/x',
    '/.well-known/jwks.json',
  ])
    expect([path, (await ask(host, path)).status, (await ask('opener.test', path)).status]).toEqual([
      path,
      404,
      200,
    ])
  // Actions cannot be called on that host either, under whatever name.
  for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS'])
    expect([method, (await ask(host, '/r/some-token', { method })).status]).toEqual([method, 404])
  expect((await ask(host, '/r/some-token', { method: 'HEAD' })).status).toBe(200)
  for (const name of [
    'opener.test',
    'reports.opener.test',
    "reports.'; --",
    'localhost:3000',
    `x.${host}`,
    '',
  ])
    expect([name, (await ask(name, '/sign-in')).status]).toEqual([name, 200])
})
