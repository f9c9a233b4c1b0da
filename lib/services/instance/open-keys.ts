import { processState } from '#lib/process-state'
import { unwrapKeys } from '#lib/providers/kms/unwrap-keys'

type Keys = { ENCRYPTION_KEY?: string | undefined; ENCRYPTION_KEYS_OLD?: string | undefined }

const kept = processState('keys as given', (): { keys?: Keys } => ({}))

/** Unwraps the encryption keys, before anything reads the environment. Keys that were unwrapped already stay. */
export async function openKeys(): Promise<void> {
  const { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD } = process.env
  kept.keys ??= { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD }
  await unwrapKeys(process.env, { fetch, now: () => new Date() })
}

/**
 * The environment for a child process that unwraps its keys itself: with the wrapped keys, since other users may read a process's initial
 * environment.
 */
export const environmentAsGiven = (): NodeJS.ProcessEnv => ({ ...process.env, ...kept.keys })
