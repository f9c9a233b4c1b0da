import { afterEach, expect, test } from 'vitest'
import { env } from '#lib/env'
import { authOptions } from '#lib/http/sign-in/auth-options'

const before = { ...env() }
afterEach(() => {
  Object.assign(env(), before)
})

const SET = {
  NEXTAUTH_SECRET: 'the-secret-of-sessions',
  OIDC_ISSUER: 'https://id.example.com/',
  OIDC_CLIENT_ID: 'own',
  OIDC_CLIENT_SECRET: 'a',
  SIGN_IN_GOOGLE_CLIENT_ID: 'google',
  SIGN_IN_GOOGLE_CLIENT_SECRET: 'b',
  SIGN_IN_MICROSOFT_CLIENT_ID: 'microsoft',
  SIGN_IN_MICROSOFT_CLIENT_SECRET: 'c',
}

test('an answer of a provider belongs to the question of this browser, and its ID token says who it is', () => {
  Object.assign(env(), SET)
  const { providers, session } = authOptions()
  expect(providers.map(({ id }) => id)).toEqual(['google', 'microsoft', 'oidc'])
  for (const provider of providers) {
    expect(provider).toMatchObject({ checks: ['pkce', 'state', 'nonce'], idToken: true })
    // No implicit flow: the answer carries a code, which is worthless without the client secret.
    expect(JSON.stringify(provider)).not.toMatch(/response_type|id_token_hint/)
  }
  expect(session).toMatchObject({ strategy: 'jwt' })
})

test('each provider is asked where its own issuer says, over https, and answers at an address of its own', () => {
  Object.assign(env(), SET)
  const places = authOptions().providers.map((provider) =>
    'wellKnown' in provider ? provider.wellKnown : '',
  )
  expect(places).toEqual([
    'https://accounts.google.com/.well-known/openid-configuration',
    expect.stringMatching(
      /^https:\/\/login\.microsoftonline\.com\/[\w-]+\/v2\.0\/\.well-known\/openid-configuration$/,
    ),
    'https://id.example.com/.well-known/openid-configuration',
  ])
})

test('after a sign-in nobody is led to another site', async () => {
  Object.assign(env(), SET)
  const redirect = authOptions().callbacks?.redirect
  const baseUrl = 'https://opener.example.com'
  const asked = [
    'https://evil.test/',
    '//evil.test',
    '/\\evil.test',
    'javascript:alert(1)',
    `${baseUrl}.evil.test/`,
  ]
  for (const url of asked) expect(await redirect?.({ url, baseUrl })).toBe(`${baseUrl}/home`)
  expect(await redirect?.({ url: `${baseUrl}/inbox?x=1`, baseUrl })).toBe(`${baseUrl}/inbox?x=1`)
})
