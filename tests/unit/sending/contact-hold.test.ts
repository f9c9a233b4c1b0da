import { describe, expect, test } from 'vitest'
import {
  type ContactRules,
  type Elsewhere,
  hasContactRules,
  holdAfterReply,
  holdOfPerson,
} from '#lib/domain/sending/contact-hold'

const DAY = 24 * 3_600_000
const NOW = Date.UTC(2026, 2, 2, 9)
const RULES: ContactRules = { one_campaign_at_a_time: true, company_max_active: null, rest_days: 0 }
const other = (more: Partial<Elsewhere> = {}): Elsewhere => ({
  campaign_id: 'a',
  is_under_way: true,
  free_at: NOW + 3 * DAY,
  last_action_at: NOW - DAY,
  ...more,
})

describe('whom other campaigns have', () => {
  test.each<[string, Partial<ContactRules>, Elsewhere[], ReturnType<typeof holdOfPerson>]>([
    ['nobody', {}, [], null],
    [
      'somebody under way waits until the other could be over',
      {},
      [other()],
      { code: 'person_busy', until: NOW + 3 * DAY + 1, ask_again_at: NOW + 7 * DAY, campaign_id: 'a' },
    ],
    [
      'the last of several to be over counts',
      {},
      [other(), other({ campaign_id: 'b', free_at: NOW + 5 * DAY })],
      { code: 'person_busy', until: NOW + 5 * DAY + 1, ask_again_at: NOW + 7 * DAY, campaign_id: 'b' },
    ],
    [
      'one that could be over waits for its end all the same',
      {},
      [other({ free_at: NOW })],
      { code: 'person_busy', until: NOW + 1, ask_again_at: NOW + 7 * DAY, campaign_id: 'a' },
    ],
    [
      'rest begins when the other is over',
      { rest_days: 2 },
      [other()],
      { code: 'person_busy', until: NOW + 5 * DAY + 1, ask_again_at: NOW + 7 * DAY, campaign_id: 'a' },
    ],
    ['whoever is through with the other may begin', {}, [other({ is_under_way: false })], null],
    [
      'but not while they rest',
      { rest_days: 2 },
      [other({ is_under_way: false })],
      { code: 'resting', until: NOW + DAY + 1, ask_again_at: NOW + DAY + 1, campaign_id: 'a' },
    ],
    [
      'and not in the instant of its end',
      { rest_days: 1 },
      [other({ is_under_way: false })],
      { code: 'resting', until: NOW + 1, ask_again_at: NOW + 1, campaign_id: 'a' },
    ],
    [
      'but in the millisecond after',
      { rest_days: 1 },
      [other({ is_under_way: false, last_action_at: NOW - DAY - 1 })],
      null,
    ],
    ['several at once where that is allowed', { one_campaign_at_a_time: false }, [other()], null],
    [
      'which still rest',
      { one_campaign_at_a_time: false, rest_days: 2 },
      [other()],
      { code: 'resting', until: NOW + DAY + 1, ask_again_at: NOW + DAY + 1, campaign_id: 'a' },
    ],
  ])('%s', (_, rules, elsewhere, expected) => {
    expect(holdOfPerson({ ...RULES, ...rules }, elsewhere, NOW)).toEqual(expected)
  })

  test('a workspace without rules asks nobody', () => {
    expect(hasContactRules({ ...RULES, one_campaign_at_a_time: false })).toBe(false)
    expect(hasContactRules({ one_campaign_at_a_time: false, company_max_active: 1, rest_days: 0 })).toBe(true)
  })
})

test.each([
  [1, NOW + DAY],
  [5, NOW + 5 * DAY],
])('after a reply colleagues wait for %i days from it, and ask again then', (days, until) => {
  expect(holdAfterReply(NOW, days, 'Ada Lovelace')).toEqual({
    code: 'colleague_replied',
    until,
    ask_again_at: until,
    campaign_id: null,
    colleague: 'Ada Lovelace',
  })
})
