import { expect, type Page } from '@playwright/test'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** Collects what the browser reports: refused scripts and styles, and requests that leave the instance. */
function watch(page: Page, origin: string) {
  const complaints: string[] = []
  page.on('console', (message) => {
    if (/Content Security Policy|refused to|violates/i.test(message.text())) complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(error.message))
  page.on('request', (request) => {
    if (/^https?:/.test(request.url()) && new URL(request.url()).origin !== origin)
      complaints.push(request.url())
  })
  return complaints
}

test('pages keep to their policy, whoever is signed in', async ({ page, baseURL }) => {
  const complaints = watch(page, baseURL ?? '')
  const first = await page.goto('/sign-in')
  const policy = first?.headers()['content-security-policy'] ?? ''
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]+' 'sha256-[\w+/=]+' 'strict-dynamic'/)
  expect(first?.headers()).toMatchObject({ 'x-content-type-options': 'nosniff', 'x-frame-options': 'DENY' })
  const again = await page.goto('/sign-in')
  expect(again?.headers()['content-security-policy']).not.toBe(policy)
  await signIn(page, await aPerson())
  for (const path of [
    '/home',
    '/campaigns',
    '/campaigns/new',
    '/datasets/import',
    '/templates/new',
    '/mailboxes/new',
  ])
    expect((await page.goto(path))?.status()).toBe(200)
  expect(complaints).toEqual([])
})

/** The headers of every answer of the instance. */
const EVERYWHERE = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': expect.stringContaining('camera=()'),
  'referrer-policy': expect.stringMatching(/^(no-referrer|same-origin|strict-origin-when-cross-origin)$/),
}
const OWN = 'same-origin'
const FOR_PROGRAMS = "default-src 'none'; frame-ancestors 'none'; sandbox"

test('pages, the API, files, the reference and assets are graded alike: nothing inline, nothing framed, nothing shared', async ({
  request,
}) => {
  const page = await request.get('/sign-in')
  const assets = [...(await page.text()).matchAll(/\/_next\/static\/[^"'\\ ]+\.(?:js|css)/g)].map(
    ([path]) => path,
  )
  expect(assets.length).toBeGreaterThan(1)
  const pages = [
    '/sign-in',
    '/docs',
    '/docs/listCampaigns',
    '/docs/events',
    '/unsubscribe/none',
    '/nothing-here',
    '/home',
  ]
  const programs = [
    '/api/v1/health',
    '/api/v1/openapi.json',
    '/api/v1/none',
    '/mcp',
    '/metrics',
    '/.well-known/jwks.json',
  ]
  const others = [...new Set(assets)].slice(0, 4)
  for (const path of [...pages, ...programs, ...others, '/files/none']) {
    const headers = (await request.get(path)).headers()
    expect({ path, ...headers }).toMatchObject({ path, ...EVERYWHERE, 'cross-origin-resource-policy': OWN })
    const policy = headers['content-security-policy'] ?? ''
    if (programs.includes(path)) expect([path, policy]).toEqual([path, FOR_PROGRAMS])
    if (!pages.includes(path)) continue
    const sources = Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one]))
    expect([path, sources['frame-ancestors']]).toEqual([path, "frame-ancestors 'none'"])
    for (const name of ['script-src', 'style-src', 'default-src', 'object-src', 'base-uri'])
      expect([path, name, sources[name]]).toEqual([path, name, expect.not.stringContaining('unsafe')])
    for (const name of ['script-src', 'style-src']) expect(sources[name]).toMatch(/'nonce-[\w+/=]{20,}'/)
  }
  const image = (await request.get('/t/o/none.gif')).headers()
  expect(image).toMatchObject({
    ...EVERYWHERE,
    'cross-origin-resource-policy': 'cross-origin',
    'content-security-policy': expect.stringContaining("style-src-attr 'unsafe-inline'"),
  })
})

test('cookies of ours are for the server alone', async ({ page }) => {
  await signIn(page, await aPerson())
  const kept = (await page.context().cookies()).filter(({ name }) => name.includes('session'))
  expect(kept).toHaveLength(1)
  expect(kept[0]).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' })
})

test('answers for programs say that they are no pages', async ({ request }) => {
  const response = await request.get('/api/v1/health')
  expect(response.headers()).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect((await request.post('/mcp', { data: {} })).status()).toBe(401)
})
