import { AsyncLocalStorage } from 'node:async_hooks'
import { expect } from 'vitest'

/** Around what a test asks of the database itself, which is nobody's request. */
export const ofTests = new AsyncLocalStorage<true>()

/**
 * Folders whose statements were gone through; one that is added here may need lines in without-workspace.ts. `lead-reasons` tries a
 * migration on tables of its own.
 */
const HELD = /\/tests\/jobs\/(campaigns|home|leads(?!\/lead-reasons)|messages|posts|telling|workspaces)\//

/** Whether what the running file sends is judged at its end. */
export const isHeld = (): boolean => HELD.test(expect.getState().testPath ?? '')
