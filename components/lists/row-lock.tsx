'use client'

import type { ReactNode } from 'react'
import { type Lock, LockedButton, LockProvider } from '#components/ui/controls/lock'

/** Ids of the rows in a list that belong to other users, with the reason they are locked. */
export type OthersWork = { ids: string[]; lock: Lock }

/** Wraps the actions of one row; locked if the row belongs to somebody else. */
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

/** In a bulk action bar: a note about selected rows that belong to others. */
export function LockedOthers({ others, ids }: { others: OthersWork | null | undefined; ids: string[] }) {
  const count = ids.filter((id) => others?.ids.includes(id)).length
  if (!others || count === 0) return null
  return (
    <LockProvider lock={others.lock}>
      <LockedButton size="sm">{count.toLocaleString('en')} not yours</LockedButton>
    </LockProvider>
  )
}
