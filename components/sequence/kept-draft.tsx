import type { StepConfig } from '#lib/contracts/steps'

/** What was not saved, in this browser alone, with what it was made from. */
export type KeptDraft = { base: string; at: string; steps: StepConfig[]; account_id: string | null }

const keyOf = (campaignId: string) => `opener:sequence:${campaignId}`

/** Browsers may refuse to keep anything; then there is nothing kept, and the leave warning is all there is. */
function inStorage<T>(act: (storage: Storage) => T): T | null {
  try {
    return act(window.localStorage)
  } catch {
    return null
  }
}

export function readDraft(campaignId: string): KeptDraft | null {
  return inStorage((storage) => {
    const kept: unknown = JSON.parse(storage.getItem(keyOf(campaignId)) ?? 'null')
    const isDraft = typeof kept === 'object' && kept !== null && 'steps' in kept && Array.isArray(kept.steps)
    return isDraft ? (kept as KeptDraft) : null
  })
}

export const keepDraft = (campaignId: string, draft: KeptDraft) =>
  inStorage((storage) => storage.setItem(keyOf(campaignId), JSON.stringify(draft)))

export const dropDraft = (campaignId: string) => inStorage((storage) => storage.removeItem(keyOf(campaignId)))
