import { expect, test } from 'vitest'
import {
  LEAD_REASON_NAMES,
  type LeadReason,
  leadReasonText,
  oneLineReason,
} from '#lib/domain/leads/lead-reasons'

const CASES: [
  reason: LeadReason | null,
  detail: string | null,
  people: string | null,
  told: string | null,
][] = [
  [null, null, null, null],
  ['duplicate_address', null, 'An earlier row has the same address.', 'duplicate_address'],
  ['suppressed', null, 'The address is on the suppression list.', 'suppressed'],
  ['suppressed', 'manual', 'The address is on the suppression list: manual', 'suppressed: manual'],
  ['bounced', '550 5.1.1 no such user', '550 5.1.1 no such user', '550 5.1.1 no such user'],
]

test.each(CASES)('%s with the words %s says “%s”, and “%s” to programs', (reason, detail, people, told) => {
  expect(leadReasonText({ reason, reason_detail: detail })).toBe(people)
  expect(oneLineReason({ reason, reason_detail: detail })).toBe(told)
})

test('every reason has words of its own, a whole sentence', () => {
  const words = LEAD_REASON_NAMES.map((reason) => leadReasonText({ reason, reason_detail: null }))
  expect(new Set(words).size).toBe(LEAD_REASON_NAMES.length)
  for (const sentence of words) expect(sentence).toMatch(/^[A-Z].*\.$/)
})
