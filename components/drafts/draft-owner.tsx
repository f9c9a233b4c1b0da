'use client'

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { draftKey, keepAgain } from './store.tsx'

const Owner = createContext<string | null>(null)

/** Whose drafts are kept below here; elsewhere none are. */
export function DraftOwner({ owner, children }: { owner: string; children: ReactNode }) {
  useEffect(keepAgain, [])
  return <Owner value={owner}>{children}</Owner>
}

/** Under which name this browser keeps a draft; null where nobody is signed in. */
export function useDraftKey(name: string): string | null {
  const owner = useContext(Owner)
  return owner === null ? null : draftKey(owner, name)
}
