import { asRecord } from '#lib/domain/text/record'

/** An unsaved draft in this browser, with the version it is based on. */
export type Draft<T> = { at: string; base: T; version: number | null; mine: T }

const PREFIX = 'opener:draft:'
const KEPT_MS = 30 * 86_400_000

/** Separated by person, so that the next user of this browser finds nothing. */
export const draftKey = (owner: string, name: string) => `${PREFIX}${owner}:${name}`

/** Set during sign-out, so that closing pages do not write drafts again. */
let isSigningOut = false

/** Browsers may refuse storage; then only the question on leaving protects unsaved text. */
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
  // A key belongs to one form, the only writer of this data.
  return Date.now() - Date.parse(draft.at) < KEPT_MS ? (draft as Draft<T>) : null
}

export function keepDraft<T>(key: string, draft: Draft<T>): void {
  if (!isSigningOut) inStorage((storage) => storage.setItem(key, JSON.stringify(draft)))
}

export const dropDraft = (key: string) => inStorage((storage) => storage.removeItem(key))

/** Deletes all users' drafts, so that signing out leaves nothing in this browser. */
export function dropDrafts(): void {
  isSigningOut = true
  inStorage((storage) => {
    for (const key of Object.keys(storage)) if (key.startsWith(PREFIX)) storage.removeItem(key)
  })
}

export function keepAgain(): void {
  isSigningOut = false
}
