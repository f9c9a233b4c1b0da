import { afterEach, expect, test } from 'vitest'
import { env } from '#lib/env'
import { isLocalOnly } from '#lib/services/instance/network-exposure'

const { HOST, APP_URL, TRACKING_URL } = env()
afterEach(() => void Object.assign(env(), { HOST, APP_URL, TRACKING_URL }))

test.each([
  ['127.0.0.1', 'http://127.0.0.1:3000', undefined, true],
  ['localhost', 'http://localhost:3000', undefined, true],
  ['::1', 'http://[::1]:3000', undefined, true],
  ['0.0.0.0', 'http://127.0.0.1:3000', undefined, false],
  ['::', 'http://127.0.0.1:3000', undefined, false],
  ['192.168.1.7', 'http://192.168.1.7:3000', undefined, false],
  // Behind a reverse proxy.
  ['127.0.0.1', 'https://opener.example', undefined, false],
  ['127.0.0.1', 'http://127.0.0.1:3000', 'https://go.example', false],
  ['127.0.0.1', 'https://127.0.0.1.evil.example', undefined, false],
  [undefined, 'http://127.0.0.1:3000', undefined, false],
])('listening on %s, told to be at %s and %s: alone is %s', (host, url, tracking, alone) => {
  Object.assign(env(), { HOST: host, APP_URL: url, TRACKING_URL: tracking })
  expect(isLocalOnly()).toBe(alone)
})
