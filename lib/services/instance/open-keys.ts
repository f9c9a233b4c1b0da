import { unwrapKeys } from '#lib/providers/kms/unwrap-keys'

/** Before anything reads the environment; what was unwrapped already stays. */
export const openKeys = (): Promise<void> => unwrapKeys(process.env, { fetch, now: () => new Date() })
