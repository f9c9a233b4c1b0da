import { expect, test } from 'vitest'
import { daysWords, windowWords } from '#components/schedule/window-words'

test.each([
  [['mon', 'tue', 'wed', 'thu', 'fri'], 'Mon–Fri'],
  [['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'], 'every day'],
  [['fri', 'mon', 'wed'], 'Mon, Wed, Fri'],
  [['mon', 'tue', 'sat', 'sun'], 'Mon–Tue, Sat–Sun'],
  [['sun'], 'Sun'],
] as const)('the days %j are said as %s', (days, words) => {
  expect(daysWords([...days])).toBe(words)
})

test('a window says its days, its hours and its zone', () => {
  const window = {
    sending_window_start: '09:00',
    sending_window_end: '17:30',
    sending_windows: null,
    send_days: ['mon' as const, 'tue' as const],
    timezone: 'Europe/Berlin',
  }
  expect(windowWords(window)).toBe('Mon–Tue, 09:00–17:30 Europe/Berlin')
})

test('a window that ends where it begins is open all day', () => {
  const window = {
    sending_window_start: '00:00',
    sending_window_end: '00:00',
    sending_windows: null,
    send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const,
    timezone: 'UTC',
  }
  expect(windowWords({ ...window, send_days: [...window.send_days] })).toBe('Every day, all day UTC')
})

test('several windows of a day are all said', () => {
  const window = {
    sending_window_start: '09:00:00',
    sending_window_end: '17:00:00',
    sending_windows: [
      { start: '09:00:00', end: '11:30:00' },
      { start: '14:00:00', end: '17:00:00' },
    ],
    send_days: ['mon' as const],
    timezone: 'Europe/Berlin',
  }
  expect(windowWords(window)).toBe('Mon, 09:00–11:30 and 14:00–17:00 Europe/Berlin')
})

test('where leads keep their own clocks, no zone is named as theirs', () => {
  const window = {
    sending_window_start: '09:00',
    sending_window_end: '17:00',
    sending_windows: null,
    send_days: ['mon' as const],
    timezone: 'Europe/Berlin',
    schedule_timezone: 'lead' as const,
  }
  expect(windowWords(window)).toBe('Mon, 09:00–17:00 in each lead’s time zone')
})
