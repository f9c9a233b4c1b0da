'use client'

import { Archive, ArchiveRestore, Mail, MailOpen } from 'lucide-react'
import { type ReactNode, useTransition } from 'react'
import { SelectionBar, UNDO_MS, useSelection } from '#components/lists/selection'
import { Button } from '#components/ui/controls/button'
import { counted } from '#components/ui/counted'
import { toast } from '#components/ui/overlays/toast'

export type ThreadChange = 'archive' | 'reopen' | 'read' | 'unread'
/** Returns how many were changed. */
export type ChangeThreads = (
  change: ThreadChange,
  thread_ids: string[],
) => Promise<{ ok: true; updated: number } | { ok: false; message: string }>

type Row = { thread_id: string; unread: boolean; isArchived: boolean }
type Props = { threads: Row[]; change: ChangeThreads; children: ReactNode }

const FOREVER = { duration: Number.POSITIVE_INFINITY }
const ACTS = {
  archive: { label: 'Archive', icon: Archive, done: 'archived', back: 'reopen' },
  reopen: { label: 'Reopen', icon: ArchiveRestore, done: 'reopened', back: 'archive' },
  read: { label: 'Mark read', icon: MailOpen, done: 'marked as read', back: 'unread' },
  unread: { label: 'Mark unread', icon: Mail, done: 'marked as unread', back: 'read' },
} as const

/** Whether a change would have an effect on a conversation. */
const CHANGES: Record<ThreadChange, (row: Row) => boolean> = {
  archive: ({ isArchived }) => !isArchived,
  reopen: ({ isArchived }) => isArchived,
  read: ({ unread }) => unread,
  unread: ({ unread }) => !unread,
}

/** Archives or marks the selected conversations; `x` toggles the focused one. The toast offers undo. */
export function ThreadSelection({ threads, change, children }: Props) {
  const [isPending, startTransition] = useTransition()
  const { place, ticked, clear } = useSelection(threads.map(({ thread_id }) => thread_id).join())
  const selected = threads.filter(({ thread_id }) => ticked.includes(thread_id))

  function run(name: ThreadChange, ids: string[], mayUndo: boolean) {
    const { done, back } = ACTS[name]
    startTransition(async () => {
      try {
        const result = await change(name, ids)
        if (!result.ok) return void toast.error(result.message, FOREVER)
        const undo = { action: { label: 'Undo', onClick: () => run(back, ids, false) } }
        toast.success(`${counted(result.updated, 'conversations')} ${done}.`, {
          duration: UNDO_MS,
          ...(mayUndo && undo),
        })
        clear()
      } catch {
        toast.error('The server could not be reached. Reload to see what was changed.', FOREVER)
      }
    })
  }

  return (
    <div ref={place}>
      {children}
      <SelectionBar label="Selected conversations" count={selected.length} clear={clear}>
        {(['archive', 'reopen', 'read', 'unread'] as const).map((name) => {
          const ids = selected.filter(CHANGES[name]).map(({ thread_id }) => thread_id)
          const { label, icon: Icon } = ACTS[name]
          return (
            ids.length > 0 && (
              <Button key={name} size="sm" aria-busy={isPending} onClick={() => run(name, ids, true)}>
                <Icon aria-hidden /> {label} {ids.length}
              </Button>
            )
          )
        })}
      </SelectionBar>
    </div>
  )
}
