'use client'

import { createContext, type ReactNode, useContext, useEffect } from 'react'
import { draftKey, keepAgain } from './store.tsx'

const Owner = createContext<string | null>(null)

/** Sets whose drafts are kept; outside of it no drafts are kept. */
export function DraftOwner({ owner, children }: { owner: string; children: ReactNode }) {
  useEffect(keepAgain, [])
  return <Owner value={owner}>{children}</Owner>
}

/** The storage key of a draft; null if nobody is signed in. */
export function useDraftKey(name: string): string | null {
  const owner = useContext(Owner)
  return owner === null ? null : draftKey(owner, name)
}
