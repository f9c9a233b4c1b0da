import { processState } from '#lib/process-state'
import { unwrapKeys } from '#lib/providers/kms/unwrap-keys'

type Keys = { ENCRYPTION_KEY?: string | undefined; ENCRYPTION_KEYS_OLD?: string | undefined }

const kept = processState('keys as given', (): { keys?: Keys } => ({}))

/** Before anything reads the environment; what was unwrapped already stays. */
export async function openKeys(): Promise<void> {
  const { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD } = process.env
  kept.keys ??= { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD }
  await unwrapKeys(process.env, { fetch, now: () => new Date() })
}

/** For a process that opens its keys itself: wrapped as they were given, since others may read what a process was started with. */
export const environmentAsGiven = (): NodeJS.ProcessEnv => ({ ...process.env, ...kept.keys })
