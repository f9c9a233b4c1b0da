import { describe, expect, test } from 'vitest'
import { LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { LEAD_VERBS, leadMove, mayWait, suppressedBy } from '#lib/domain/leads/lead-moves'

const OVER = LEAD_STATUSES.filter((status) => !mayWait(status))
const froms = (status: LeadStatus) => LEAD_VERBS.filter((verb) => leadMove(verb).from.includes(status))

describe('what moves a lead', () => {
  test.each(['replied', 'bounced', 'unsubscribed', 'skipped'] as const)('%s is the end', (status) => {
    expect(froms(status)).toEqual([])
  })

  test('a lead that its owner stopped answers, is ended with its company or its row, or goes on, and nothing else', () => {
    expect(LEAD_VERBS.filter((verb) => leadMove(verb).from.includes('stopped'))).toEqual([
      'answer',
      'company_replied',
      'replied_elsewhere',
      'resume',
      'lose_row',
    ])
  })

  test('a lead whose step failed answers, is ended with its company or its row, or has the step again, and nothing else', () => {
    expect(froms('failed')).toEqual([
      'answer',
      'company_replied',
      'replied_elsewhere',
      'try_again',
      'lose_row',
    ])
  })

  test('only what may wait is claimed, and a claim ends nobody', () => {
    expect(leadMove('claim')).toEqual({ from: ['pending', 'active'], to: ['active'], events: [] })
    for (const status of OVER) expect(leadMove('claim').from).not.toContain(status)
  })

  test('who has had every step comes back only where one did not leave after all, or an edit is undone', () => {
    const back = LEAD_VERBS.filter(
      (verb) => leadMove(verb).from.includes('completed') && leadMove(verb).to.includes('active'),
    )
    expect(back).toEqual(['take_step_back', 'offer_again', 'confirm', 'note', 'replace'])
  })
})

test.each([
  ['unsubscribe', 'unsubscribe'],
  ['hard_bounce', 'hard_bounce'],
  ['complaint', 'complaint'],
  ['manual', 'suppressed'],
  ['asked by telephone', 'suppressed'],
])('an entry of the list for “%s” says %s', (reason, event) => {
  expect(suppressedBy(reason)).toBe(event)
})
