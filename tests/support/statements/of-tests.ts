import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'vitest'

/** Around what a test asks of the database itself, which is nobody's request. */
export const ofTests = new AsyncLocalStorage<true>()

/**
 * The suites of jobs. Not read: `instance`, which backs up, restores, rotates and migrates a whole instance, `lead-reasons`, which tries
 * a migration on tables of its own, and `sandbox-mail`, which asks by connections of its own.
 */
const HELD = /\/tests\/jobs\/(?!instance\/|leads\/lead-reasons|senders\/sandbox-mail)/

/** Whether what the running file sends is judged at its end. */
export const isHeld = (): boolean => HELD.test(expect.getState().testPath ?? '')
