import fc from 'fast-check'
import { expect, test } from 'vitest'
import { sitePath } from '#lib/domain/text/site-path'

test.each([
  ['/accounts', '/accounts'],
  ['/', '/'],
  ['/campaigns?status=active&page=2', '/campaigns?status=active&page=2'],
  ['/campaigns/0198/leads?lead=1#notes', '/campaigns/0198/leads?lead=1#notes'],
  ['/search?q=//evil.example', '/search?q=//evil.example'],
  ['/a/../b', '/b'],
  ['/a/%2e%2e/b', '/b'],
  ['/a/./b/', '/a/b/'],
  ['/../../home', '/home'],
  ['/@evil.example', '/@evil.example'],
  ['/evil.example:80/', '/evil.example:80/'],
  ['/grüße?q=ä b', '/gr%C3%BC%C3%9Fe?q=%C3%A4%20b'],
])('%j is %j of this site', (text, path) => {
  expect(sitePath(text)).toBe(path)
})

test.each([
  '',
  'accounts',
  '?a=1',
  '#a',
  ' /accounts',
  'https://evil.example',
  'javascript:alert(1)',
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/a\\..\\..\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '/\r/evil.example',
  '/\0/evil.example',
  '/\u0085/evil.example',
  '/a/../..//evil.example',
  '/a/%2e%2e/%2E%2e//evil.example',
  '/a/.%2e//evil.example',
  '/.//evil.example',
  '/%2e//evil.example',
  '/a//evil.example',
  '/%2fevil.example',
  '/%2F%2Fevil.example',
  '/a/../%2f%2fevil.example',
  '/%5cevil.example',
  '/a/..%5c..%5cevil.example',
  '/%09/evil.example',
  '/%0d%0aLocation:evil.example',
  '/%00',
  '/a\u2028b',
  '/\ud800',
  `/${'a'.repeat(2_000)}`,
])('%j is none', (text) => {
  expect(sitePath(text)).toBeNull()
})

test('whatever is let through stays on the site, as an address, as a header and after another reading', () => {
  const piece = fc.constantFrom(
    '/',
    '//',
    '\\',
    '.',
    '..',
    '%2e',
    '%2f',
    '%5c',
    'evil.example',
    '@',
    ':',
    '?',
    '#',
    '\t',
    'a',
  )
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const path = sitePath(`/${pieces.join('')}`)
      if (path === null) return
      const base = 'https://opener.example'
      expect(new URL(path, base).origin).toBe(base)
      expect(path).toMatch(/^\/(?![/\\])/)
      expect(new URL(decodeURIComponent(path.split(/[?#]/, 1)[0] ?? ''), base).origin).toBe(base)
      expect(sitePath(path)).toBe(path)
    }),
  )
})
