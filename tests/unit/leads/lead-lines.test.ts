import { expect, test } from 'vitest'
import { leadLines } from '#components/leads/lead-line'
import type { CampaignLead } from '#lib/contracts/leads/campaign-leads'

const office = {
  status: 'active' as const,
  timezone: 'Europe/Berlin',
  sending_window_start: '09:00:00',
  sending_window_end: '17:00:00',
  sending_windows: null,
  send_days: ['mon', 'tue', 'wed', 'thu', 'fri'] as ('mon' | 'tue' | 'wed' | 'thu' | 'fri')[],
}
const lead = (next_action_at: string | null): CampaignLead => ({
  campaign_lead_id: '00000000-0000-7000-8000-000000000001',
  lead_index: 0,
  email: 'ada@example.com',
  data: { first_name: 'Ada', last_name: 'Lovelace', company: 'Engines' },
  status: 'active',
  current_step: 1,
  next_action_at,
  last_event: 'sent',
  last_event_at: null,
  reason: null,
  reason_detail: null,
  timezone: null,
  timezone_source: null,
  waits_for: null,
})

// Friday, 11:00 in Berlin.
const NOW = new Date('2026-03-06T10:00:00.000Z')

test.each([
  ['later today inside the window: then', '2026-03-06T14:30:00.000Z', '2026-03-06T14:30:00.000Z', false],
  [
    'in the evening: on the next day of sending',
    '2026-03-06T19:00:00.000Z',
    '2026-03-09T08:00:00.000Z',
    false,
  ],
  ['on a Sunday: on Monday', '2026-03-08T12:00:00.000Z', '2026-03-09T08:00:00.000Z', false],
  ['an hour ago while the window is open: now', '2026-03-06T09:00:00.000Z', NOW.toISOString(), true],
  ['not at all', null, null, false],
])('a step that is due %s', (_, due, next_at, is_due) => {
  expect(leadLines(office, NOW)(lead(due))).toMatchObject({ next_at, is_due, name: 'Ada Lovelace' })
})

test('long due while the window is closed, it waits for the window', () => {
  const night = new Date('2026-03-06T22:00:00.000Z')
  expect(leadLines(office, night)(lead('2026-03-01T10:00:00.000Z'))).toMatchObject({
    next_at: '2026-03-09T08:00:00.000Z',
    is_due: false,
  })
})

test('nothing is next while the campaign is paused, and the row of the dataset stays behind', () => {
  const line = leadLines({ ...office, status: 'paused' }, NOW)(lead('2026-03-06T14:30:00.000Z'))
  expect(line).toMatchObject({ next_at: null, is_due: false })
  expect(line).not.toHaveProperty('data')
})

test('what the forecast knows goes before the window, and is said to be planned', () => {
  const at = new Date('2026-03-06T15:12:00.000Z')
  const lines = leadLines(office, NOW, new Map([[0, at]]))
  expect(lines(lead('2026-03-06T09:00:00.000Z'))).toMatchObject({
    next_at: at.toISOString(),
    is_planned: true,
    is_due: false,
  })
  expect(lines({ ...lead('2026-03-06T14:30:00.000Z'), lead_index: 1 })).toMatchObject({
    next_at: '2026-03-06T14:30:00.000Z',
    is_planned: false,
  })
  expect(lines(lead(null))).toMatchObject({ next_at: null, is_planned: false })
})

test('who waits for another campaign comes no sooner than that could end, not when it is asked again', () => {
  const waits_for = {
    why: 'person_busy' as const,
    campaign_id: null,
    campaign_name: 'Spring',
    colleague: null,
  }
  const held = (not_before: string | null) =>
    leadLines(office, NOW)({ ...lead('2026-03-13T10:00:00.000Z'), waits_for: { ...waits_for, not_before } })
  expect(held('2026-03-10T14:00:00.000Z')).toMatchObject({ next_at: '2026-03-10T14:00:00.000Z' })
  // No time is known, or the known one is past.
  expect(held(null)).toMatchObject({ next_at: null })
  expect(held('2026-03-05T10:00:00.000Z')).toMatchObject({ next_at: null, waits_for: { not_before: null } })
})

test('who is held comes no sooner than that ends, nor than their step is due', () => {
  const waits_for = { why: 'away' as const, campaign_id: null, campaign_name: null, colleague: null }
  const held = (due: string, not_before: string) =>
    leadLines(office, NOW)({ ...lead(due), waits_for: { ...waits_for, not_before } })
  const [wednesday, friday] = ['2026-03-11T08:00:00.000Z', '2026-03-13T10:00:00.000Z']
  expect(held('2026-03-06T14:30:00.000Z', wednesday)).toMatchObject({ next_at: wednesday, is_due: false })
  expect(held(friday, wednesday)).toMatchObject({ next_at: friday })
})
