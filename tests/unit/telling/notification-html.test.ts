import { expect, test } from 'vitest'
import { composeAnalyticsEmail } from '#lib/domain/analytics/analytics-email'
import { notificationHtml } from '#lib/domain/telling/notification-html'

const ORIGIN = 'https://opener.example'
const html = (text: string) => notificationHtml(text, ORIGIN)
const rate = (numerator: number, denominator: number) => ({
  numerator,
  denominator,
  rate: numerator / denominator,
})
const totals = {
  sent: 338,
  contacted: 171,
  unsubscribed: 4,
  reply_rate: rate(15, 171),
  bounce_rate: rate(1, 171),
}

test('the figures of analytics stand in a table, campaigns in a list, and our own links under their words', () => {
  const { text } = composeAnalyticsEmail(
    'Northwind',
    {
      from: '2026-11-16',
      to: '2026-11-22',
      totals,
      previous: totals,
      reply_hours: { median: 3, p90: 7 },
      campaigns: [{ ...totals, name: 'Autumn <b>: heads' }],
    },
    { home: `${ORIGIN}/w/northwind`, stop: `${ORIGIN}/analytics-email/token` },
  )
  const mail = html(text)
  expect(mail.match(/<tr>/g)).toHaveLength(5)
  expect(mail).toMatch(
    /<th [^>]*>Replied<\/th><td [^>]*><strong>8.8 % \(15 of 171 contacted\)<\/strong>; 8.8 % before/,
  )
  expect(mail).toMatch(
    /<strong>Campaigns<\/strong><\/p><ul [^>]*><li>Autumn &lt;b&gt;: heads: 338 sent; replied: 8.8 %/,
  )
  expect(mail).toContain(
    `<a href="${ORIGIN}/w/northwind/analytics?from=2026-11-16&amp;to=2026-11-22">All figures</a>`,
  )
  expect(mail).toContain(`<br><a href="${ORIGIN}/analytics-email/token">Stop these emails</a>`)
})

test('an address that is not ours stands in full, whatever is written before it', () => {
  for (const other of ['https://evil.example/', `${ORIGIN}.evil.example/`, 'http://opener.example/'])
    expect(html(`Your account: ${other}`)).toContain(`Your account: <a href="${other}">${other}</a>`)
  expect(html(`Name: 1\nYour account: https://evil.example/`)).not.toContain('<table')
})

test('what people write is text', () => {
  expect(html('- "><img src=x onerror=alert(1)>')).toContain(
    '<li>&quot;&gt;&lt;img src=x onerror=alert(1)&gt;</li>',
  )
  expect(html('https://a.example/"onmouseover="x')).toContain(
    'href="https://a.example/&quot;onmouseover=&quot;x"',
  )
  expect(html('A: <i>\nB: 2; <u>')).toContain('<strong>2</strong>; &lt;u&gt;')
})
