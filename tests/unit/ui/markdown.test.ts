import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { Markdown } from '#components/ui/markdown'

const html = (text: string) => renderToStaticMarkup(createElement(Markdown, { text }))

test('bold, code, lists and paragraphs are shown as such', () => {
  expect(html('**Spring** is `paused`')).toContain('<strong>Spring</strong> is <code>paused</code>')
  expect(html('- one\n- two')).toMatch(/<ul[^>]*><li>one<\/li><li>two<\/li><\/ul>/)
  expect(html('1. one\n2. two')).toMatch(/<ol[^>]*><li>one<\/li><li>two<\/li>/)
  expect(html('3. three\n4. four')).toContain('<ol start="3"')
  expect(html('first\n\nsecond').match(/<p>/g)).toHaveLength(2)
})

test('signs of HTML are written as they were said, once', () => {
  expect(html('AT&T and `a < b && c`')).toBe('<p>AT&amp;T and <code>a &lt; b &amp;&amp; c</code></p>')
})

test('rows that are alike are all shown', () => {
  expect(html('- same\n- same').match(/<li>same<\/li>/g)).toHaveLength(2)
})

test('a list that follows its sentence is a list all the same', () => {
  expect(html('These are two:\n- one\n- two')).toMatch(/<p>These are two:<\/p><ul[^>]*><li>one<\/li>/)
})

test('a table has its head and its rows; one that is only begun, or has no rule, is text', () => {
  const table = '| Campaign | Sent |\n| --- | ---: |\n| **Spring** \\| Co | 24 |'
  const shown = html(`Look:\n${table}\n\nThat is all.`)
  expect(shown.match(/<th [^>]*>.*?<\/th>/g)).toHaveLength(2)
  expect(shown).toMatch(/<td[^>]*><strong>Spring<\/strong> \| Co<\/td><td[^>]*>24<\/td>/)
  expect(shown).toMatch(/^<p>Look:<\/p>.*<p>That is all\.<\/p>$/s)
  for (const text of ['| Campaign | Sent |', '| a | b |\n| c | d |'])
    expect(html(text)).not.toContain('<table')
  expect(html('| <img src=x> |\n| - |\n| [x](javascript:y) |')).not.toMatch(/<img|<a/)
})

test('what is escaped is text', () => {
  expect(html('\\*\\*not bold\\*\\* \\[x\\](https://a.example)')).toContain('**not bold** [x]')
})

test.each([
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '**<b onclick="alert(1)">x</b>**',
  '`<svg onload=alert(1)>`',
  '[<iframe src="https://evil.example">](https://a.example)',
])('HTML is text: %s', (text) => {
  expect(html(text)).not.toMatch(/<(?:script|img|b|svg|iframe)\b/)
  expect(html(text)).toContain('&lt;')
})

test.each([
  'javascript:alert(1)',
  'JaVaScRiPt:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  '//evil.example',
  '/campaigns',
  'file:///etc/passwd',
  'https://',
  '\u0001javascript:alert(1)',
])('no link leads to %s', (href) => {
  const shown = html(`[look](${href})`)
  expect(shown).not.toContain('<a')
  expect(shown).toContain('look')
})

test('a link to the web opens apart, and nothing of here goes along', () => {
  const shown = html('[Docs](https://docs.example/a?b=c&d="e)')
  expect(shown).toContain('href="https://docs.example/a?b=c&amp;d=&quot;e"')
  expect(shown).toContain('rel="noopener noreferrer nofollow"')
})

test('an image is never loaded: of it the words remain', () => {
  const shown = html('![pixel](https://evil.example/p.png)')
  expect(shown).not.toContain('<img')
})
