import { expect, test } from 'vitest'
import { profileSteps } from '#lib/domain/campaigns/profile-steps'

const variant = (label: string, sender_profile_id: string | null) => ({ label, sender_profile_id })
const STEPS = [
  { step: 1, channel: 'email', action_type: 'email', variants: [variant('A', 'ada'), variant('B', null)] },
  { step: 2, channel: 'social', action_type: 'visit_profile', variants: [] },
  { step: 3, channel: 'social', action_type: 'message', variants: [variant('A', 'bo')] },
  { step: 4, channel: 'email', action_type: 'email', variants: [] },
]

test.each([
  { name: 'one that is named', id: 'ada', is_default: false, expected: [{ step: 1, labels: ['A'] }] },
  { name: 'one that nothing names', id: 'cleo', is_default: false, expected: [] },
  {
    name: 'the default, which writes what names none',
    id: 'cleo',
    is_default: true,
    expected: [
      { step: 1, labels: ['B'] },
      { step: 4, labels: [''] },
    ],
  },
  {
    name: 'a default that is named as well',
    id: 'bo',
    is_default: true,
    expected: [
      { step: 1, labels: ['B'] },
      { step: 3, labels: ['A'] },
      { step: 4, labels: [''] },
    ],
  },
])('steps written as $name', ({ expected, ...profile }) => {
  expect(profileSteps(STEPS, profile)).toEqual(expected)
})
