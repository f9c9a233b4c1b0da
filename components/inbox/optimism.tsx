'use client'

import { clsx } from 'clsx'
import { Archive, ArchiveRestore } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useState, useTransition } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { ActingButton } from '#components/ui/controls/lock'
import { toast } from '#components/ui/overlays/toast'

const Gone = createContext<{ gone: ReadonlySet<string>; put: (id: string, isGone: boolean) => void }>({
  gone: new Set(),
  put: () => {},
})

/** Wraps list and conversation: an archived row disappears at once, before the server has answered. */
export function InboxOptimism({ children }: { children: ReactNode }) {
  const [gone, setGone] = useState<ReadonlySet<string>>(new Set())
  const put = (id: string, isGone: boolean) =>
    setGone((before) => new Set(isGone ? [...before, id] : [...before].filter((one) => one !== id)))
  return <Gone value={{ gone, put }}>{children}</Gone>
}

export function ThreadRow({
  id,
  isChosen,
  children,
}: {
  id: string
  isChosen: boolean
  children: ReactNode
}) {
  const { gone } = useContext(Gone)
  if (gone.has(id)) return null
  return (
    <li
      className={clsx(
        'relative border-b border-border last:border-0 hover:bg-hover',
        isChosen && 'bg-accent-subtle',
      )}
    >
      {children}
    </li>
  )
}

type Change = () => Promise<FormResult>
type Props = { id: string; isArchived: boolean; leavesList: boolean; archive: Change; reopen: Change }

const UNREACHED: FormResult = { ok: false, message: 'The server could not be reached. Nothing was changed.' }

/** Archives at once, with undo; if the server refuses, everything is restored. */
export function ArchiveButton({ id, isArchived, leavesList, archive, reopen }: Props) {
  const { put } = useContext(Gone)
  const [shown, setShown] = useState(isArchived)
  const [isPending, startTransition] = useTransition()
  useEffect(() => setShown(isArchived), [isArchived])

  const label = shown ? 'Reopen' : 'Archive'
  function show(isGone: boolean) {
    setShown(isGone)
    if (leavesList) put(id, isGone)
  }
  function change(toArchived: boolean) {
    show(toArchived)
    const receipt = toArchived
      ? toast.success('Archived.', {
          action: { label: 'Undo', onClick: () => change(false) },
          duration: 8_000,
        })
      : toast.success('Reopened.')
    startTransition(async () => {
      const result = await (toArchived ? archive() : reopen()).catch(() => UNREACHED)
      if (result.ok) return
      show(!toArchived)
      toast.dismiss(receipt)
      toast.error(result.message, { duration: Number.POSITIVE_INFINITY })
    })
  }
  return (
    <ActingButton
      variant="ghost"
      size="icon"
      onClick={() => change(!shown)}
      aria-busy={isPending}
      aria-label={label}
      data-key="e"
      title={`${label} (e)`}
    >
      {shown ? <ArchiveRestore aria-hidden /> : <Archive aria-hidden />}
    </ActingButton>
  )
}
