import { expect, test } from 'vitest'
import { sources } from '#tests/support/code/source-files'

/** The files that run in the product. */
const files = sources().filter(({ file }) => /^(app|components|inngest|lib)\//.test(file))
const holding = (pattern: RegExp) => files.filter(({ code }) => pattern.test(code)).map(({ file }) => file)

test('it saw the product', () => {
  expect(files.length).toBeGreaterThan(800)
})

test('nothing makes code out of a text', () => {
  expect(holding(/\beval\(|\bnew Function\(|from 'node:vm'|\bsetTimeout\(\s*['"`]/)).toEqual([])
})

test('no text becomes HTML of a page but by React', () => {
  const sinks = /dangerouslySetInnerHTML|\.(inner|outer)HTML\s*\+?=(?!=)|insertAdjacentHTML|document\.write/
  expect(holding(sinks)).toEqual([])
  // The only place that reads HTML through the DOM: in a document that is never shown and runs nothing.
  expect(holding(/\.(inner|outer)HTML\b/)).toEqual(['components/messages/rich/editor-html.tsx'])
})

test('programs are started by name and list of arguments, never by a shell', () => {
  const starts = files.filter(({ code }) => code.includes("from 'node:child_process'"))
  expect(starts.map(({ file }) => file).toSorted()).toEqual([
    'inngest/beside/process.ts',
    'lib/db/embedded-home.ts',
    'lib/db/embedded.ts',
    'lib/db/processes.ts',
    'lib/providers/reader/hosts.ts',
  ])
  for (const { code } of starts) expect(code).not.toMatch(/\b(exec|execSync)\(|shell: true/)
})

test('every certificate is looked at', () => {
  expect(holding(/rejectUnauthorized: false|NODE_TLS_REJECT_UNAUTHORIZED|checkServerIdentity/)).toEqual([])
})

test('only approved algorithms are named: AES-256-GCM, SHA-2, HMAC with it, Argon2id, and RSA with SHA-256 or ES256', () => {
  const named = files.flatMap(({ file, code }) =>
    [
      ...code.matchAll(
        /\b(?:createHash|createHmac|createCipheriv|createDecipheriv|hkdfSync|pbkdf2\w*|createSign|createVerify)\(\s*'([^']+)'/g,
      ),
    ].map(([, algorithm = '']) => ({ file, algorithm })),
  )
  expect(named.length).toBeGreaterThan(10)
  expect(
    named.filter(({ algorithm }) => !/^(sha-?(256|384|512)|aes-256-gcm|rsa-sha256)$/i.test(algorithm)),
  ).toEqual([])
})

/** Delays between tries: knowing them gains an attacker nothing. */
const CHANCE = ['lib/client/client.ts', 'lib/engine/ops.ts']

test('what nobody may guess is drawn by the cryptographic generator', () => {
  expect(holding(/Math\.random/).toSorted()).toEqual(CHANCE)
})

test('the browser keeps drafts and what was looked at, and no secret', () => {
  expect(holding(/\b(localStorage|sessionStorage|indexedDB)\b/).toSorted()).toEqual([
    'components/drafts/store.tsx',
    'components/leads/sample-messages.tsx',
  ])
})

test('fields of passwords hide them, and take what a password manager fills in', () => {
  const fields = files.flatMap(({ file, code }) =>
    [...code.matchAll(/<Input\b[^>]*autoComplete="(?:new|current)-password"[^>]*>/g)].map(([tag]) => ({
      file,
      tag,
    })),
  )
  expect(fields.length).toBeGreaterThan(3)
  for (const { file, tag } of fields) expect(tag, file).toContain('type="password"')
  expect(holding(/onPaste=\{[^}]*preventDefault/)).toEqual([])
})
