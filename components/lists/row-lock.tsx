'use client'

import type { ReactNode } from 'react'
import { type Lock, LockedButton, LockProvider } from '#components/ui/controls/lock'

/** In a list of many people's things: which of them are another's to change, by their ids. */
export type OthersWork = { ids: string[]; lock: Lock }

/** Around one thing of a list; locked where it is another's. */
export function RowLock({
  others,
  id,
  children,
}: {
  others: OthersWork | null | undefined
  id: string
  children: ReactNode
}) {
  if (!others?.ids.includes(id)) return children
  return <LockProvider lock={others.lock}>{children}</LockProvider>
}

/** In a bar of what can be done to several, for those of them that are another's. */
export function LockedOthers({ others, ids }: { others: OthersWork | null | undefined; ids: string[] }) {
  const count = ids.filter((id) => others?.ids.includes(id)).length
  if (!others || count === 0) return null
  return (
    <LockProvider lock={others.lock}>
      <LockedButton size="sm">{count.toLocaleString('en')} not yours</LockedButton>
    </LockProvider>
  )
}
