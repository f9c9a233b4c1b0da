import { expect, test } from 'vitest'
import { sources } from '#tests/support/code/source-files'

/** They change nothing that is kept. */
const COMPUTE = [
  'app/(dashboard)/campaigns/[campaign_id]/review/actions.ts',
  'app/(dashboard)/campaigns/[campaign_id]/schedule/actions.tsx',
  'app/(auth)/actions.ts',
  // Plays the payment provider, whose word it is.
  'app/(dashboard)/sandbox/billing/actions.ts',
  // Play the social network and the people on it.
  'app/(dashboard)/sandbox/network/actions.ts',
  'app/(public)/sandbox-network/sign-in/actions.ts',
]

const files = sources().filter(({ file }) => /^app\/.*\/actions\.tsx?$/.test(file))

test('server actions were found', () => {
  expect(files.length).toBeGreaterThan(8)
})

test.each(files)('what $file changes is in the audit log', ({ file, code }) => {
  if (COMPUTE.includes(file)) return
  expect(code).toMatch(/\bawait noted\(user, \w+/)
})
