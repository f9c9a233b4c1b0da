import { expect, type Page } from '@playwright/test'
import { aPerson, signIn } from '../support/people.ts'
import { test } from '../support/test.ts'

/** What the browser complains of while it looks around: refused scripts and styles, requests that leave the instance. */
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
  expect(policy).toMatch(/script-src 'self' 'nonce-[\w+/=]+' 'strict-dynamic'/)
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

test('answers for programs say that they are no pages', async ({ request }) => {
  const response = await request.get('/api/v1/health')
  expect(response.headers()).toMatchObject({
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
    'x-content-type-options': 'nosniff',
  })
  expect((await request.post('/mcp', { data: {} })).status()).toBe(401)
})
