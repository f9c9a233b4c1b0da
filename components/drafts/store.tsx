import { asRecord } from '#lib/domain/text/record'

/** What was not saved, in this browser alone, with what it was made from. */
export type Draft<T> = { at: string; base: T; version: number | null; mine: T }

const PREFIX = 'opener:draft:'
const KEPT_MS = 30 * 86_400_000

/** Of one person's: whoever signs in next on this browser finds none of it. */
export const draftKey = (owner: string, name: string) => `${PREFIX}${owner}:${name}`

/** Set while somebody signs out: pages that close by it write nothing down again. */
let isSigningOut = false

/** Browsers may refuse to keep anything; then there is nothing kept, and the question on leaving is all there is. */
function inStorage<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(window.localStorage)
  } catch {
    return null
  }
}

export function readDraft<T>(key: string): Draft<T> | null {
  const draft = asRecord(inStorage((storage) => JSON.parse(storage.getItem(key) ?? 'null')))
  if (typeof draft.at !== 'string' || draft.base === undefined || draft.mine === undefined) return null
  // A key names one form, which alone writes under it, and in its own words.
  return Date.now() - Date.parse(draft.at) < KEPT_MS ? (draft as Draft<T>) : null
}

export function keepDraft<T>(key: string, draft: Draft<T>): void {
  if (!isSigningOut) inStorage((storage) => storage.setItem(key, JSON.stringify(draft)))
}

export const dropDraft = (key: string) => inStorage((storage) => storage.removeItem(key))

/** Everybody's: who signs out leaves nothing behind on this browser. */
export function dropDrafts(): void {
  isSigningOut = true
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  })
}

export function keepAgain(): void {
  isSigningOut = false
}
