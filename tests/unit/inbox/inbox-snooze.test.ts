import fc from 'fast-check'
import { expect, test } from 'vitest'
import { composeReply } from '#lib/providers/ai/offline-reply'
import { snoozeChoices } from '#lib/services/inbox/thread/snooze'

const labelled = (zone: string, now: string) =>
  Object.fromEntries(snoozeChoices(zone, new Date(now)).map(({ label, until }) => [label, until]))

test('mornings are at nine of the owner’s clock, also when the clocks change in between', () => {
  // The Saturday before the clocks go forward in Berlin.
  expect(labelled('Europe/Berlin', '2026-03-28T20:00:00Z')).toEqual({
    'In three hours': '2026-03-28T23:00:00.000Z',
    'Tomorrow morning': '2026-03-29T07:00:00.000Z',
    'Monday morning': '2026-03-30T07:00:00.000Z',
    'In a week': '2026-04-04T07:00:00.000Z',
    'In a month': '2026-04-27T07:00:00.000Z',
  })
})

test('on a Sunday Monday is tomorrow, and offered once', () => {
  const choices = labelled('UTC', '2026-11-22T12:00:00Z')
  expect(choices['Tomorrow morning']).toBe('2026-11-23T09:00:00.000Z')
  expect(choices).not.toHaveProperty('Monday morning')
})

test('whenever it is asked, every choice lies ahead', () => {
  const zones = fc.constantFrom(
    'UTC',
    'Europe/Berlin',
    'America/New_York',
    'Asia/Kolkata',
    'Australia/Lord_Howe',
  )
  const instants = fc.date({ min: new Date('2020-01-01'), max: new Date('2035-01-01'), noInvalidDate: true })
  fc.assert(
    fc.property(zones, instants, (zone, now) => {
      for (const { until } of snoozeChoices(zone, now))
        expect(new Date(until).getTime()).toBeGreaterThan(now.getTime())
    }),
  )
})

test.each([
  ['No thanks, we are fine.', 'not write to you about this again'],
  ['I am out of the office until Monday.', 'once you are back'],
  ['Fine. What does it cost?', 'What does it cost?'],
  ['Yes, call me.', 'Which day and time'],
  ['Hm.', 'next step'],
])('the offline writer answers “%s” to the point', (text, part) => {
  const written = composeReply({
    conversation: [{ from: 'them', text }],
    cells: { first_name: 'Ada' },
    sender: { name: 'Bo' },
  })
  expect(written).toMatch(/^Hello Ada,\n/)
  expect(written).toContain(part)
  expect(written).toMatch(/Bo$/)
})
