import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDraftKey } from './draft-owner.tsx'
import { type Draft, dropDraft, keepDraft, readDraft } from './store.tsx'

const PAUSE_MS = 300

type Given<T> = {
  /** Identifies what is edited, such as "template:ID"; drafts are per person. */
  name: string
  /** The saved state and its version; a draft based on another version is only offered. */
  base: T
  version: number | null
  mine: T
  isDirty: boolean
  /** True until the saved state is known, and if nothing may be changed. */
  isOff: boolean
  /** A form that creates something cannot conflict with other edits. */
  isNew?: boolean
  isSame: (one: T, other: T) => boolean
  restore: (mine: T) => void
}

export type EarlierDraft<T> = { draft: Draft<T>; state: 'restored' | 'offered' }

/** Keeps unsaved changes in this browser and restores them when the page is opened again. */
export function useDraft<T>(given: Given<T>) {
  const { name, base, version, mine, isDirty, isOff, isNew = false, isSame, restore } = given
  const key = useDraftKey(name)
  const [earlier, setEarlier] = useState<EarlierDraft<T> | null>(null)
  const wasDirty = useRef(false)
  const pendingWrite = useRef<(() => void) | null>(null)
  /** What was saved last. The form may show it a moment longer, but it is no longer a draft. */
  const saved = useRef<T | null>(null)

  const findDraft = useEffectEvent(() => {
    const draft = key === null || isOff ? null : readDraft<T>(key)
    if (!draft) return
    // The draft was saved, and the page was closed before the answer arrived.
    if (isSame(draft.mine, base)) return void dropDraft(key ?? '')
    const isOfThis = isNew || isSame(draft.base, base)
    if (isOfThis) restore(draft.mine)
    setEarlier({ draft, state: isOfThis ? 'restored' : 'offered' })
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked for once, as soon as it can be
  useEffect(() => findDraft(), [key, isOff])

  useEffect(() => {
    if (key === null || isOff) return
    if (!isDirty) {
      if (wasDirty.current) dropDraft(key)
      wasDirty.current = false
      pendingWrite.current = null
      saved.current = null
      return
    }
    if (saved.current !== null && isSame(mine, saved.current)) return
    saved.current = null
    wasDirty.current = true
    const write = () => keepDraft(key, { at: new Date().toISOString(), base, version, mine })
    pendingWrite.current = write
    // A submission within the pause cancels the write.
    const timer = setTimeout(() => pendingWrite.current === write && write(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isDirty, isOff, key, base, version, mine, isSame])

  // Changes within the pause are also written before the page is closed or a link is followed.
  useEffect(() => {
    const write = () => pendingWrite.current?.()
    window.addEventListener('pagehide', write)
    return () => {
      window.removeEventListener('pagehide', write)
      write()
    }
  }, [])

  /** Changes made after `sent` are a draft again. */
  function forget(sent: T = mine) {
    if (key !== null) dropDraft(key)
    pendingWrite.current = null
    saved.current = sent
    setEarlier(null)
  }
  return { earlier, key, forget, settle: () => setEarlier(null) }
}
