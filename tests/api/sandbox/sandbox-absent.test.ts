import { expect, test } from 'vitest'
import { ListSandboxMessages } from '#lib/contracts/sandbox/sandbox'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

// In a file of its own, since the environment is read only once.
test('404 where the instance has no sandbox', async () => {
  const { status, error } = await call(ListSandboxMessages, { as: await aUser() })
  expect([status, error]).toEqual([404, { detail: 'not_found', message: 'This instance has no sandbox.' }])
})
