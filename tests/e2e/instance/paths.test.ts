import { expect } from '@playwright/test'
import { test } from '../support/test.ts'

test('both slash forms of every kind of path answer alike, and neither redirects', async ({ request }) => {
  for (const path of [
    '/api/v1/health',
    '/api/v1/openapi.json',
    '/api/v1/campaigns',
    '/api/v1/auth/me',
    '/api/v1/nothing/here',
    '/api/auth/csrf',
  ]) {
    const [bare, slashed] = await Promise.all(
      [path, `${path}/`].map((form) => request.get(form, { maxRedirects: 0 })),
    )
    expect([path, slashed?.status()]).toEqual([path, bare?.status()])
    expect(bare?.status()).not.toBe(308)
    expect(bare?.headers()['content-type']).toContain('application/json')
  }
})

test('an unknown path below the API answers 404 in JSON to every method', async ({ request }) => {
  for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await request.fetch('/api/v1/nothing/here', { method })
    expect(response.status()).toBe(404)
    expect(await response.json()).toEqual({ detail: 'Not Found' })
  }
})

test('the door of the engine refuses what is not signed, with the headers of every answer', async ({
  request,
}) => {
  for (const method of ['POST', 'PUT'])
    for (const path of ['/api/inngest', '/api/inngest/', '/api/inngest//']) {
      const response = await request.fetch(path, { method, data: {}, maxRedirects: 0 })
      expect([path, method, response.status()]).toEqual([path, method, 401])
      expect(response.headers()['x-content-type-options']).toBe('nosniff')
      // Refused by our check, not by the framework, which would read the body first.
      expect(await response.text()).toBe('{"detail":"Unauthorized"}')
    }
})

test('a sign-in by a provider takes no body of more than 64 KB', async ({ request }) => {
  const csrfToken = (await (await request.get('/api/auth/csrf')).json()).csrfToken
  const post = (more: string) =>
    request.post('/api/auth/signout', { form: { csrfToken, more, json: 'true' } })
  expect((await post('x'.repeat(70_000))).status()).toBe(413)
  expect((await post('x')).status()).toBe(200)
})
