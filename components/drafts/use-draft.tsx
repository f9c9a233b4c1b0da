import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { useDraftKey } from './draft-owner.tsx'
import { type Draft, dropDraft, keepDraft, readDraft } from './store.tsx'

const PAUSE_MS = 300

type Given<T> = {
  /** What is written upon, such as "template:ID"; of this person's alone. */
  name: string
  /** What is saved, and which version of it: a kept draft of something else is only offered. */
  base: T
  version: number | null
  mine: T
  isDirty: boolean
  /** Until it is known what is saved, and where nothing may be changed. */
  isOff: boolean
  /** What makes something new has nothing that could be another by now. */
  isNew?: boolean
  isSame: (one: T, other: T) => boolean
  restore: (mine: T) => void
}

export type EarlierDraft<T> = { draft: Draft<T>; state: 'restored' | 'offered' }

/** Keeps what is not saved in this browser, and brings it back when the page is opened again. */
export function useDraft<T>(given: Given<T>) {
  const { name, base, version, mine, isDirty, isOff, isNew = false, isSame, restore } = given
  const key = useDraftKey(name)
  const [earlier, setEarlier] = useState<EarlierDraft<T> | null>(null)
  const wasDirty = useRef(false)
  const pendingWrite = useRef<(() => void) | null>(null)
  /** What was saved last: a form may go on saying it for a moment, and it is no draft any more. */
  const saved = useRef<T | null>(null)

  const findDraft = useEffectEvent(() => {
    const draft = key === null || isOff ? null : readDraft<T>(key)
    if (!draft) return
    // Saved, and the page gone before it heard of that.
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
    // What was sent within the pause is forgotten by then.
    const timer = setTimeout(() => pendingWrite.current === write && write(), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [isDirty, isOff, key, base, version, mine, isSame])

  // What was typed within the pause, too: before the page goes, and before a link leads away from it.
  useEffect(() => {
    const write = () => pendingWrite.current?.()
    window.addEventListener('pagehide', write)
    return () => {
      window.removeEventListener('pagehide', write)
      write()
    }
  }, [])

  /** What was typed after `sent` is a draft again. */
  function forget(sent: T = mine) {
    if (key !== null) dropDraft(key)
    pendingWrite.current = null
    saved.current = sent
    setEarlier(null)
  }
  return { earlier, key, forget, settle: () => setEarlier(null) }
}
