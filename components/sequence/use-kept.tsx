import { useEffect, useEffectEvent, useRef, useState } from 'react'
import type { StepConfig } from '#lib/contracts/steps'
import { dropDraft, type KeptDraft, keepDraft, readDraft } from './kept-draft.tsx'

const PAUSE_MS = 300

type Given = {
  campaign_id: string
  /** What is saved, as text; a kept draft of something else is only offered. */
  base: string
  isDirty: boolean
  isLocked: boolean
  steps: StepConfig[]
  account_id: string | null
  restore: (steps: StepConfig[], account_id: string | null) => void
}

export type Found = { draft: KeptDraft; state: 'restored' | 'offered' }

/** Keeps what is not saved in this browser, and brings it back when the page is opened again. */
export function useKept({ campaign_id, base, isDirty, isLocked, steps, account_id, restore }: Given) {
  const [found, setFound] = useState<Found | null>(null)
  const wasDirty = useRef(false)

  const look = useEffectEvent(() => {
    const draft = isLocked ? null : readDraft(campaign_id)
    if (!draft) return
    const isSame = draft.base === base
    if (isSame) restore(draft.steps, draft.account_id)
    setFound({ draft, state: isSame ? 'restored' : 'offered' })
  })
  useEffect(() => look(), [])

  useEffect(() => {
    if (!isDirty) {
      if (wasDirty.current) dropDraft(campaign_id)
      wasDirty.current = false
      return
    }
    wasDirty.current = true
    const timer = setTimeout(
      () => keepDraft(campaign_id, { base, at: new Date().toISOString(), steps, account_id }),
      PAUSE_MS,
    )
    return () => clearTimeout(timer)
  }, [isDirty, campaign_id, base, steps, account_id])

  function forget() {
    dropDraft(campaign_id)
    setFound(null)
  }
  return { found, forget, settle: () => setFound(null) }
}
