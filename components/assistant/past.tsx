'use client'

import { type FormEvent, useState } from 'react'
import { Button } from '#components/ui/controls/button'
import { Input } from '#components/ui/controls/input'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction } from '#components/ui/overlays/menu-item'
import type { Conversation } from '#lib/contracts/assistant/agent'
import type { Threads } from './use-threads.tsx'

type Props = { threads: Threads; current: string; open: (thread: string) => void; onGone: () => void }

/** Failures are shown here, since a toast would be behind the panel. */
const done = (_: unknown) => ({ ok: true }) as const
const conversationTitle = ({ title }: Conversation) => title ?? 'Untitled'

function Rename({ title, save, close }: { title: string; save: (title: string) => void; close: () => void }) {
  function submit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const given = String(new FormData(event.currentTarget).get('title')).trim()
    if (given) save(given)
    close()
  }
  return (
    <form onSubmit={submit} className="flex items-center gap-1 py-1">
      <Input
        name="title"
        aria-label="Title"
        defaultValue={title}
        maxLength={200}
        autoFocus
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          // Cancels renaming only; the panel around it stays open.
          event.preventDefault()
          event.stopPropagation()
          close()
        }}
      />
      <Button size="sm" type="submit">
        Save
      </Button>
    </form>
  )
}

/** Earlier conversations: open, rename, archive (with undo) or delete. */
export function Past({ threads, current, open, onGone }: Props) {
  const [renamed, setRenamed] = useState<string | null>(null)
  const { conversations, archived, isArchive } = threads
  async function remove(thread: string) {
    await threads.remove(thread)
    if (thread === current) onGone()
  }
  return (
    <>
      <PastState threads={threads} />
      <ul
        aria-label={isArchive ? 'Archived conversations' : 'Past conversations'}
        aria-busy={conversations === null}
      >
        {conversations?.map((conversation) => {
          const { thread_id } = conversation
          const title = conversationTitle(conversation)
          if (renamed === thread_id)
            return (
              <li key={thread_id}>
                <Rename
                  title={title}
                  save={(given) => void threads.rename(thread_id, given)}
                  close={() => setRenamed(null)}
                />
              </li>
            )
          if (archived.has(thread_id))
            return (
              <li key={thread_id} className="flex items-center justify-between gap-2 py-1 text-muted">
                <span className="truncate">Archived: {title}</span>
                <Button size="sm" variant="ghost" onClick={() => void threads.archive(thread_id, false)}>
                  Undo
                </Button>
              </li>
            )
          return (
            <PastLine
              key={thread_id}
              conversation={conversation}
              isCurrent={thread_id === current}
              threads={threads}
              open={open}
              rename={() => setRenamed(thread_id)}
              remove={() => remove(thread_id)}
            />
          )
        })}
      </ul>
      <Button size="sm" variant="ghost" onClick={() => void threads.show(!isArchive)}>
        {isArchive ? 'Back to conversations' : 'Archived'}
      </Button>
    </>
  )
}

type LineProps = Pick<Props, 'threads' | 'open'> & {
  conversation: Conversation
  isCurrent: boolean
  rename: () => void
  remove: () => Promise<void>
}

function PastLine({ conversation, isCurrent, threads, open, rename, remove }: LineProps) {
  const { thread_id } = conversation
  const title = conversationTitle(conversation)
  return (
    <li className="flex items-center gap-1">
      <button
        type="button"
        onClick={() => open(thread_id)}
        aria-current={isCurrent || undefined}
        className="min-w-0 flex-1 truncate rounded-sm px-2 py-1.5 text-left hover:bg-hover aria-[current]:bg-hover aria-[current]:font-medium"
      >
        {title}
      </button>
      <Menu label={`Actions on ${title}`}>
        <MenuAction act={async () => done(rename())}>Rename</MenuAction>
        {threads.isArchive ? (
          <MenuAction act={async () => done(await threads.takeBack(thread_id))}>Unarchive</MenuAction>
        ) : (
          <MenuAction act={async () => done(await threads.archive(thread_id, true))}>Archive</MenuAction>
        )}
        <MenuAction
          danger
          confirm={{
            title: `Delete the conversation “${title}”?`,
            description: 'Its messages are deleted permanently. Changes it made are kept.',
            label: 'Delete',
            danger: true,
          }}
          act={async () => done(await remove())}
        >
          Delete
        </MenuAction>
      </Menu>
    </li>
  )
}

/** Shown instead of the conversations, or above them after a failure. */
function PastState({ threads: { conversations, failed, isArchive } }: Pick<Props, 'threads'>) {
  return (
    <>
      {failed && (
        <p role="alert" className="py-1 text-danger">
          {failed}
        </p>
      )}
      {!conversations && !failed && (
        <div role="status" className="space-y-3 px-2 py-2">
          <span className="sr-only">Loading</span>
          <Skeleton className="h-3.5 w-4/5" />
          <Skeleton className="h-3.5 w-3/5" />
        </div>
      )}
      {conversations?.length === 0 && (
        <p className="px-2 py-1 text-muted">
          {isArchive ? 'No archived conversations.' : 'No conversations yet.'}
        </p>
      )}
    </>
  )
}
