import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  INTENT_EFFECTS,
  type IntentRule,
  isRuled,
  RULED_INTENTS,
  replyEffect,
} from '#lib/domain/inbox/intent/intent-rules'
import { INTENTS, type Intent } from '#lib/domain/inbox/intent/intents'

const at = { campaign_id: 'here', received_at: Date.parse('2026-03-02T10:00:00Z') }
const rule = (does: IntentRule['does'], of: Partial<IntentRule> = {}): IntentRule => ({
  does,
  hold_days: null,
  branch_campaign_id: null,
  ...of,
})
const END = { does: 'end' }

describe('what a reply does', () => {
  test.each<[string, Intent | null, string | null, IntentRule | null, object]>([
    ['ends where nobody decided anything', 'interested', null, null, END],
    ['ends where its words do not say what it wants', null, null, rule('hold', { hold_days: 3 }), END],
    ['waits for the day of a later', 'later', '2026-03-11', null, { does: 'hold', until: '2026-03-11' }],
    ['ends a later without a day', 'later', null, null, END],
    ['ends a later by rule', 'later', '2026-03-11', rule('end'), END],
    [
      'waits a while for a later without a day',
      'later',
      null,
      rule('hold', { hold_days: 30 }),
      { does: 'hold', until: '2026-04-01' },
    ],
    [
      'waits the days of its rule',
      'wrong_person',
      null,
      rule('hold', { hold_days: 7 }),
      { does: 'hold', until: '2026-03-09' },
    ],
    [
      'adds to another campaign',
      'interested',
      null,
      rule('branch', { branch_campaign_id: 'there' }),
      { does: 'branch', campaign_id: 'there' },
    ],
    ['ends where that campaign is gone', 'interested', null, rule('branch'), END],
    [
      'ends where they are there already',
      'interested',
      null,
      rule('branch', { branch_campaign_id: 'here' }),
      END,
    ],
  ])('%s', (_, intent, until, given, effect) => {
    expect(replyEffect(intent && { intent, until }, given, at)).toEqual(effect)
  })

  test('a wish, an absence and a bounce end whatever rule is given', () => {
    const given = fc.record({
      does: fc.constantFrom(...INTENT_EFFECTS),
      hold_days: fc.integer({ min: 1, max: 365 }),
      branch_campaign_id: fc.constant('there'),
    })
    const fixed = INTENTS.filter((intent) => !isRuled(intent))
    expect(fixed).toEqual(['stop', 'absence', 'bounce'])
    expect(RULED_INTENTS).toHaveLength(INTENTS.length - fixed.length)
    fc.assert(
      fc.property(
        fc.constantFrom(...fixed),
        given,
        fc.constantFrom(null, '2026-03-11'),
        (intent, one, until) => {
          expect(replyEffect({ intent, until }, one, at)).toEqual(END)
        },
      ),
    )
  })
})
