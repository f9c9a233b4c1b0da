import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { RelativeTime, ZoneOwner } from '#components/ui/relative-time'

const NOW = '2026-11-21T13:57:00.000Z'

/** The words that are shown on a Saturday afternoon in Berlin. */
const words = (at: string, zone = 'Europe/Berlin', isAhead = false) =>
  renderToStaticMarkup(createElement(RelativeTime, { at, now: NOW, zone, isAhead })).replace(/<[^>]*>/g, '')

test.each([
  ['2026-11-21T13:57:20.000Z', 'now'],
  ['2026-11-21T14:09:00.000Z', 'in 12 minutes'],
  ['2026-11-21T10:57:00.000Z', '3 hours ago'],
  ['2026-11-22T07:00:00.000Z', 'in 17 hours'],
  ['2026-11-22T15:00:00.000Z', 'tomorrow'],
  ['2026-11-23T08:00:00.000Z', 'in 2 days'],
  ['2026-11-20T08:00:00.000Z', 'yesterday'],
  ['2026-11-19T23:30:00.000Z', 'yesterday'],
  ['2026-12-24T08:00:00.000Z', '24 Dec 2026'],
])('%s is %s', (at, expected) => {
  expect(words(at)).toBe(expected)
})

test('what is known to lie ahead is not called now', () => {
  const at = '2026-11-21T13:57:59.000Z'
  expect(words(at, undefined, true)).toBe('in under a minute')
  expect(words(NOW, undefined, true)).toBe('now')
})

test('where a page names no zone, it is that of the workspace', () => {
  const time = createElement(RelativeTime, { at: '2026-11-19T23:30:00.000Z', now: NOW })
  const said = (zone: string) => renderToStaticMarkup(ZoneOwner({ zone, children: time }))
  expect(said('Europe/Berlin')).toContain('>yesterday<')
  expect(said('America/New_York')).toContain('>2 days ago<')
})

test('days are those of the zone', () => {
  expect(words('2026-11-19T23:30:00.000Z', 'America/New_York')).toBe('2 days ago')
})
