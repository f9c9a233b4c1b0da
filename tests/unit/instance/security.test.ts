import { createHash } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import type { NextConfig } from 'next'
import { expect, test } from 'vitest'
import { pagePolicy, SHOW_SOON } from '#lib/http/security'

const ROOT = path.resolve(import.meta.dirname, '../../..')
const at = { nonce: 'bm9uY2U=', isDevelopment: false, isHttps: true, hasIdentityProvider: false }
const directives = (policy: string) =>
  Object.fromEntries(policy.split('; ').map((one) => [one.split(' ')[0], one.split(' ').slice(1)]))

test('a page runs only scripts with its nonce and the one of our own words, is framed by nobody, and sends forms nowhere else', () => {
  const policy = directives(pagePolicy(at))
  const own = `'sha256-${createHash('sha256').update(SHOW_SOON).digest('base64')}'`
  expect(policy['script-src']).toEqual(["'self'", "'nonce-bm9uY2U='", own, "'strict-dynamic'"])
  expect(policy['default-src']).toEqual(["'self'"])
  for (const name of ['object-src', 'base-uri', 'frame-ancestors']) expect(policy[name]).toEqual(["'none'"])
  expect(policy['form-action']).toEqual(["'self'"])
  expect(policy).toHaveProperty('upgrade-insecure-requests')
})

test('only development evaluates, only https upgrades, and an identity provider may be led to', () => {
  expect(pagePolicy({ ...at, isDevelopment: true })).toContain("'unsafe-eval'")
  expect(pagePolicy({ ...at, isHttps: false })).not.toContain('upgrade-insecure-requests')
  expect(pagePolicy({ ...at, hasIdentityProvider: true })).not.toContain('form-action')
})

test('files may be put into the storage where it takes them by itself, and into nothing beside it', () => {
  const uploadPrefix = 'https://vercel.com/api/blob/'
  expect(directives(pagePolicy({ ...at, uploadPrefix }))['connect-src']).toEqual(["'self'", uploadPrefix])
})

test('the policy names no other site, nor permits inline scripts and styles; attributes alone set styles', () => {
  expect(pagePolicy(at)).not.toMatch(/https?:|\*/)
  const policy = directives(pagePolicy(at))
  expect(policy['style-src']).toEqual(["'self'", "'nonce-bm9uY2U='"])
  const lax = Object.keys(policy).filter((name) =>
    policy[name]?.some((source: string) => source.includes('unsafe')),
  )
  expect(lax).toEqual(['style-src-attr'])
})

test('every answer says how it may be used, and answers for programs may do nothing in a browser', async () => {
  const { default: config } = await import(pathToFileURL(path.join(ROOT, 'next.config.mjs')).href)
  const rules = (await (config as NextConfig).headers?.()) ?? []
  const of = (source: string) =>
    Object.fromEntries(
      rules.find((rule) => rule.source === source)?.headers.map(({ key, value }) => [key, value]) ?? [],
    )
  expect(of('/:path*')).toMatchObject({ 'X-Content-Type-Options': 'nosniff', 'X-Frame-Options': 'DENY' })
  expect(of('/api/v1/:path*')['Content-Security-Policy']).toContain("default-src 'none'")
  expect(of('/unsubscribe/:path*')['Referrer-Policy']).toBe('no-referrer')
  expect(of('/t/:path*')['Referrer-Policy']).toBe('no-referrer')
  expect(of('/:path*')['Cross-Origin-Resource-Policy']).toBe('same-origin')
  // The tracking image is loaded by webmail on other sites.
  expect(of('/t/:path*')['Cross-Origin-Resource-Policy']).toBe('cross-origin')
})
