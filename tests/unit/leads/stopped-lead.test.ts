import { expect, test } from 'vitest'
import { type GoesOn, goesOn, type StaysStopped } from '#lib/domain/leads/stopped-lead'

const DAY_MS = 24 * 3_600_000
const NOW = Date.parse('2026-03-04T10:00:00.000Z')
const campaign = { timezone: 'UTC', steps_config: [{ delay_days: 0 }, { delay_days: 2 }, { delay_days: 3 }] }
const WAITING = { status: 'active', current_step: 1, next_step: 2, due_at: NOW + DAY_MS } as const
const NEW = { status: 'pending', current_step: 0, next_step: 1, due_at: NOW - DAY_MS } as const
const known = { stood_at: WAITING, step: null, suppressed: false, edited: false }
const offered = (status: 'sending' | 'retry' | 'sent' | 'failed' | 'uncertain' | 'skipped') => ({
  step: { status, performed_at: NOW - 60_000 },
})
const third = { step: 3, due_at: NOW - 60_000 + 3 * DAY_MS }

test.each<[string, Partial<Parameters<typeof goesOn>[0]>, GoesOn | StaysStopped]>([
  [
    'waits where it stood',
    {},
    { status: 'active', current_step: 1, next: { step: 2, due_at: NOW + DAY_MS } },
  ],
  [
    'is new again where it was',
    { stood_at: NEW },
    { status: 'pending', current_step: 0, next: { step: 1, due_at: NOW - DAY_MS } },
  ],
  [
    'that was held back is looked at now',
    { stood_at: { ...WAITING, due_at: null } },
    { status: 'active', current_step: 1, next: { step: 2, due_at: NOW } },
  ],
  [
    'whose step was refused for now has it tried again',
    { stood_at: { ...WAITING, due_at: null }, ...offered('retry') },
    { status: 'active', current_step: 1, next: { step: 2, due_at: NOW } },
  ],
  [
    'whose step went out meanwhile waits for the next',
    offered('sent'),
    { status: 'active', current_step: 2, next: third },
  ],
  [
    'whose step may have gone out waits for the next, too',
    offered('uncertain'),
    { status: 'active', current_step: 2, next: third },
  ],
  [
    'whose step was not for it waits for the next',
    offered('skipped'),
    { status: 'active', current_step: 1, next: third },
  ],
  [
    'whose last step went out is through',
    { stood_at: { ...WAITING, current_step: 2, next_step: 3 }, ...offered('sent') },
    { status: 'completed', current_step: 3, next: null },
  ],
  ['whose step is being sent stays', offered('sending'), 'under_way'],
  ['whose step failed stays', offered('failed'), 'failed'],
  ['that is suppressed stays', { suppressed: true }, 'suppressed'],
  ['of a campaign that was edited stays', { edited: true }, 'edited'],
])('a stopped lead %s', (_what, given, expected) => {
  expect(goesOn({ ...known, ...given }, campaign, NOW)).toEqual(expected)
})
