import { describe, expect, test } from 'vitest'
import {
  CAMPAIGN_STATUSES,
  CAMPAIGN_VERBS,
  type CampaignStatus,
  type CampaignVerb,
  changedSteps,
  editScope,
  mayDelete,
  mayDispatch,
  refusedEdits,
  statusAfter,
  statusAfterResume,
} from '#lib/domain/campaigns/campaign-status'

const LEGAL: [CampaignVerb, CampaignStatus, CampaignStatus][] = [
  ['launch', 'draft', 'launching'],
  ['launch', 'failed', 'launching'],
  ['schedule', 'draft', 'scheduled'],
  ['start', 'scheduled', 'launching'],
  ['hold', 'scheduled', 'paused'],
  ['cancel', 'scheduled', 'draft'],
  ['enrolled', 'launching', 'active'],
  ['fail', 'launching', 'failed'],
  ['drain', 'active', 'draining'],
  ['complete', 'active', 'completed'],
  ['complete', 'draining', 'completed'],
  ['reopen', 'completed', 'draining'],
  ['restart', 'completed', 'active'],
  ['restart', 'draining', 'active'],
  ['pause', 'scheduled', 'paused'],
  ['pause', 'launching', 'paused'],
  ['pause', 'active', 'paused'],
  ['pause', 'draining', 'paused'],
  ['pause', 'paused', 'paused'],
  ['halt', 'active', 'paused'],
  ['halt', 'draining', 'paused'],
]

describe('transitions', () => {
  test.each(LEGAL)('%s takes %s to %s', (verb, from, to) => {
    expect(statusAfter(verb, from)).toBe(to)
  })

  test('every other pair is refused', () => {
    const legal = new Set(LEGAL.map(([verb, from]) => `${verb} ${from}`))
    const others = CAMPAIGN_VERBS.flatMap((verb) => CAMPAIGN_STATUSES.map((from) => ({ verb, from }))).filter(
      ({ verb, from }) => !legal.has(`${verb} ${from}`),
    )
    expect(others).toHaveLength(CAMPAIGN_VERBS.length * CAMPAIGN_STATUSES.length - LEGAL.length)
    for (const { verb, from } of others) expect(statusAfter(verb, from), `${verb} ${from}`).toBeNull()
  })

  test('a completed campaign moves again only where its leads wait anew', () => {
    for (const verb of CAMPAIGN_VERBS)
      if (verb !== 'reopen' && verb !== 'restart') expect(statusAfter(verb, 'completed')).toBeNull()
  })
})

describe('resume', () => {
  const now = new Date('2026-03-10T12:00:00Z')
  const later = new Date('2026-03-11T12:00:00Z')
  const earlier = new Date('2026-03-09T12:00:00Z')

  test.each([
    { name: 'active again', paused_from: 'active', start_date: null, expected: 'active' },
    { name: 'draining again', paused_from: 'draining', start_date: null, expected: 'draining' },
    { name: 'goes on enrolling', paused_from: 'launching', start_date: null, expected: 'launching' },
    { name: 'waits for its time', paused_from: 'scheduled', start_date: later, expected: 'scheduled' },
    { name: 'its time has passed', paused_from: 'scheduled', start_date: earlier, expected: 'launching' },
    { name: 'its time is now', paused_from: 'scheduled', start_date: now, expected: 'launching' },
    { name: 'unknown past', paused_from: null, start_date: null, expected: 'active' },
  ] as const)('$name', ({ paused_from, start_date, expected }) => {
    expect(statusAfterResume({ status: 'paused', paused_from, start_date }, now)).toBe(expected)
  })

  test.each(CAMPAIGN_STATUSES.filter((status) => status !== 'paused'))('%s is refused', (status) => {
    expect(statusAfterResume({ status, paused_from: 'active', start_date: null }, now)).toBeNull()
  })
})

test('only active and draining campaigns send', () => {
  expect(CAMPAIGN_STATUSES.filter(mayDispatch)).toEqual(['active', 'draining'])
})

test('only what does not run can be deleted', () => {
  expect(CAMPAIGN_STATUSES.filter(mayDelete)).toEqual(['draft', 'paused', 'completed', 'failed'])
})

describe('edits', () => {
  test.each([
    ['draft', 'all'],
    ['scheduled', 'unreached'],
    ['paused', 'unreached'],
    ['launching', 'none'],
    ['active', 'none'],
    ['draining', 'none'],
    ['completed', 'none'],
    ['failed', 'none'],
  ] as const)('%s: %s', (status, scope) => {
    expect(editScope(status)).toBe(scope)
  })

  const edit = { changed: ['name', 'dataset_id'], changed_steps: [1, 3], reached_step: 2 }

  test('a draft takes everything', () => {
    expect(refusedEdits({ ...edit, status: 'draft' })).toEqual([])
  })

  test('a paused campaign keeps its dataset and the steps that were reached', () => {
    expect(refusedEdits({ ...edit, status: 'paused' })).toEqual(['dataset_id', 'steps_config[0]'])
  })

  test('a running campaign takes nothing, and an edit that changes nothing is no edit', () => {
    expect(refusedEdits({ ...edit, status: 'active' })).toEqual(['name', 'dataset_id'])
    expect(refusedEdits({ status: 'active', changed: [], changed_steps: [], reached_step: 1 })).toEqual([])
  })

  test('steps differ by value, not by key order; removed and added ones count', () => {
    const one = { step: 1, delay_days: 0, variants: [{ label: 'A', weight: 1 }] }
    const same = { variants: [{ weight: 1, label: 'A' }], delay_days: 0, step: 1 }
    const two = { step: 2, delay_days: 3 }
    expect(changedSteps([one, two], [same, two])).toEqual([])
    expect(changedSteps([one, two], [one])).toEqual([2])
    expect(changedSteps([one], [one, two])).toEqual([2])
    expect(changedSteps([one, two], [{ ...one, delay_days: 1 }, two])).toEqual([1])
  })
})
