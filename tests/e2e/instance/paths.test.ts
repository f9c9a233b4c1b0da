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
  for (const method of ['POST', 'PUT']) {
    const response = await request.fetch('/api/inngest', { method, data: {} })
    expect([method, response.status()]).toEqual([method, 401])
    expect(response.headers()['x-content-type-options']).toBe('nosniff')
  }
})
