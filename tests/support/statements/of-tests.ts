import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'vitest'

/** Set around statements that a test itself sends to the database: they belong to no request. */
export const ofTests = new AsyncLocalStorage<true>()

/**
 * The suites of jobs. Not checked: `instance`, which backs up, restores, rotates and migrates a whole instance, `lead-reasons`, which runs
 * a migration on tables of its own, and `sandbox-mail`, which opens connections of its own.
 */
const HELD = /\/tests\/jobs\/(?!instance\/|leads\/lead-reasons|senders\/sandbox-mail)/

/** Whether the statements of the running test file are checked at its end. */
export const isHeld = (): boolean => HELD.test(expect.getState().testPath ?? '')
