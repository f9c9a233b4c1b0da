import { expect, test } from 'vitest'
import { type StaysFailed, staysFailed } from '#lib/domain/leads/failed-lead'

const EMAIL = { channel: 'email', action_type: 'message' } as const
const INVITE = { channel: 'social', action_type: 'connection_request' } as const
const last = { step: 2, status: 'failed', channel: 'email', action_type: 'email' } as const
const known = { status: 'failed', last, suppressed: false, readdressed: false } as const

test.each<[string, Partial<Parameters<typeof staysFailed>[0]>, StaysFailed | null]>([
  ['has its step again', {}, null],
  ['that answered since did not fail', { status: 'replied' }, 'not_failed'],
  ['that waits did not fail', { status: 'active' }, 'not_failed'],
  ['that bounced did not fail', { status: 'bounced' }, 'not_failed'],
  ['whose message came back was handed over', { last: { ...last, status: 'sent' } }, 'handed_over'],
  ['of whose step it is not known is none', { last: { ...last, status: 'uncertain' } }, 'handed_over'],
  ['on the list stays', { suppressed: true }, 'suppressed'],
  ['whose step is gone stays', { last: { ...last, step: 3 } }, 'edited'],
  ['whose step does something else by now stays', { last: { ...last, step: 1 } }, 'edited'],
  ['whose row has another address stays', { readdressed: true }, 'edited'],
])('a lead %s', (_, facts, expected) => {
  expect(staysFailed({ ...known, ...facts }, [INVITE, EMAIL])).toBe(expected)
})
