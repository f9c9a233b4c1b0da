import path from 'node:path'
import { NextRequest } from 'next/server'
import { afterEach, expect, test } from 'vitest'
import { env } from '#lib/env'
import { ROOT } from '#tests/support/code/source-files'

/** The proxy stands in the root folder, outside the layers. */
const { proxy }: { proxy: (request: NextRequest) => Promise<Response> } = await import(
  path.join(ROOT, 'proxy.ts')
)

const before = env().APP_URL
afterEach(() => {
  env().APP_URL = before
})

const answered = async (url: string) => {
  env().APP_URL = new URL(url).origin
  return (await proxy(new NextRequest(url))).headers
}

test('an instance at https is asked for over nothing else for a year, and loads nothing else', async () => {
  const headers = await answered('https://opener.example.com/home')
  const [, seconds] = /max-age=(\d+)/.exec(headers.get('strict-transport-security') ?? '') ?? []
  expect(Number(seconds)).toBeGreaterThanOrEqual(365 * 24 * 3_600)
  expect(headers.get('content-security-policy')).toContain('upgrade-insecure-requests')
})

test('one at http promises no such thing: a browser would not come back', async () => {
  expect((await answered('http://127.0.0.1:3000/home')).get('strict-transport-security')).toBeNull()
})
