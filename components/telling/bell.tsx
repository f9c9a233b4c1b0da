'use client'

import { Bell } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useId, useRef, useState, useTransition } from 'react'
import { Button } from '#components/ui/controls/button'
import { Link } from '#components/ui/controls/link'
import type { FormResult } from '#components/ui/form-state'
import { useAction } from '#components/ui/use-action'
import type { Latest } from './bell-items.tsx'

const BellItems = dynamic(() => import('./bell-items.tsx').then((module) => module.BellItems), {
  loading: () => null,
})

type Props = {
  unread: number
  short?: boolean
  load: () => Promise<Latest>
  markAll: () => Promise<FormResult>
}

const MOST = 99
const GAP_PX = 6

/** What happened lately, from every page. The list is fetched when it is opened; nothing of it comes with the page. */
export function NotificationBell({ unread, short, load, markAll }: Props) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const [latest, setLatest] = useState<Latest | 'failed' | null>(null)
  const [, startTransition] = useTransition()

  function open() {
    if (button.current && panel.current) place(panel.current, button.current)
    startTransition(async () => {
      const answer = await load().catch(() => 'failed' as const)
      startTransition(() => setLatest(answer))
    })
  }
  const { run, isPending } = useAction(markAll)
  return (
    <>
      <button
        ref={button}
        type="button"
        popoverTarget={id}
        className={
          short
            ? 'relative grid size-9 place-items-center rounded-sm text-muted hover:bg-hover'
            : 'relative flex h-7 w-full items-center gap-2.5 rounded-sm px-2 text-sm text-muted hover:bg-hover hover:text-text max-lg:justify-center max-lg:px-0'
        }
      >
        <BellMark unread={unread} short={short} />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label="Notifications"
        onToggle={(event) => event.newState === 'open' && open()}
        className="fixed inset-auto m-0 max-h-[min(32rem,calc(100dvh-2rem))] w-96 max-w-[calc(100vw-1rem)] overflow-y-auto rounded-md bg-raised p-0 text-text shadow-raised open:animate-enter"
      >
        <header className="flex min-h-11 items-center justify-between gap-3 border-b border-border px-4 py-2">
          <h2 className="text-sm font-semibold">Notifications</h2>
          {unread > 0 && (
            <Button size="sm" onClick={run} aria-busy={isPending}>
              Mark all as read
            </Button>
          )}
        </header>
        <List latest={latest} isAllRead={unread === 0} close={() => panel.current?.hidePopover()} />
        <footer className="border-t border-border px-4 py-2 text-sm">
          <Link
            href="/settings/notifications"
            onClick={() => panel.current?.hidePopover()}
            className="rounded-xs text-accent-text hover:underline"
          >
            All notifications and their settings
          </Link>
        </footer>
      </div>
    </>
  )
}

type ListProps = { latest: Latest | 'failed' | null; isAllRead: boolean; close: () => void }

function List({ latest, isAllRead, close }: ListProps) {
  if (latest === null)
    return (
      <p role="status" className="px-4 py-6 text-sm text-muted">
        Fetching…
      </p>
    )
  if (latest === 'failed')
    return (
      <p role="alert" className="px-4 py-6 text-sm">
        The server could not be reached. Close this and open it again.
      </p>
    )
  return <BellItems latest={latest} isAllRead={isAllRead} close={close} />
}

/** Beside the rail, or below the button of a phone's header, wherever the window leaves room. */
function place(panel: HTMLElement, button: HTMLElement) {
  const at = button.getBoundingClientRect()
  const beside = at.right + GAP_PX + panel.offsetWidth < window.innerWidth
  panel.style.top = `${beside ? Math.max(8, at.top) : at.bottom + GAP_PX}px`
  panel.style.left = `${beside ? at.right + GAP_PX : Math.max(8, window.innerWidth - panel.offsetWidth - 8)}px`
}

function BellMark({ unread, short }: Pick<Props, 'unread' | 'short'>) {
  return (
    <>
      <Bell aria-hidden className="size-4" />
      <span className={short ? 'sr-only' : 'max-lg:sr-only'}>Notifications</span>
      {unread > 0 && <span className="sr-only">{unread.toLocaleString('en')} unread</span>}
      {unread > 0 && (
        <span
          aria-hidden
          className={`min-w-4 rounded-full bg-accent px-1 text-center text-2xs font-medium text-on-accent tabular-nums ${short ? 'absolute top-0 -right-1' : 'ml-auto max-lg:absolute max-lg:top-0.5 max-lg:right-0.5'}`}
        >
          {unread > MOST ? `${MOST}+` : unread}
        </span>
      )}
    </>
  )
}
