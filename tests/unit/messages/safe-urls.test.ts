import { expect, test } from 'vitest'
import { finishedMessage } from '#lib/domain/messages/message'
import { withSafeUrls } from '#lib/domain/messages/safe-urls'

test.each([
  ['<a href="javascript:x">y</a>', '<a href="#">y</a>'],
  ['<a href=javascript:x>y</a>', '<a href="#">y</a>'],
  ["<a title=a href = 'vbscript:x' class=b>", '<a title=a href="#" class=b>'],
  ['<a href="java&Tab;script&colon;x">', '<a href="#">'],
  ['<a href="&#106;avascript:x">', '<a href="#">'],
  ['<a\r\n\thref="java\nscript:x"\r\n>', '<a\r\n\thref="#"\r\n>'],
  ['<a x="<a" href=javascript:1>', '<a x="<a" href="#">'],
  [
    '<form action=data:text/html,x><button formaction=javascript:x>',
    '<form action="#"><button formaction="#">',
  ],
  ['<textarea></textarea><img src=javascript:x>', '<textarea></textarea><img src="#">'],
])('%j leads nowhere', (html, safe) => {
  expect(withSafeUrls(html)).toBe(safe)
})

test.each([
  '<a href="https://a.test/?x=1&y=2#z">ü 👍</a>',
  '<a href=mailto:a@b.test>x</a><a href=tel:1>y</a><a href="/path">z</a>',
  '<!-- <a href="javascript:x"> --><p>a < b & c\r\n',
  '<title><a href="javascript:x"></title>',
  'javascript:x',
])('%j stays as it is', (html) => {
  expect(withSafeUrls(html)).toBe(html)
})

test('what was written for one lead is sent without them', () => {
  const made = finishedMessage({ subject: 'x', body: '<p>Hi <a href=javascript:alert(1)>you</a></p>' })
  expect(made.ok && made.message.html).toBe('<p>Hi <a href="#">you</a></p>')
})
