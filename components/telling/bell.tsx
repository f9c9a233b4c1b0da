'use client'

import { Bell } from 'lucide-react'
import dynamic from 'next/dynamic'
import { useId, useRef, useState, useTransition } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Latest } from './bell-items.tsx'

const BellPanel = dynamic(() => import('./bell-panel.tsx').then((module) => module.BellPanel), {
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

/** The latest notifications, on every page. Panel and list load when opened. */
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
        {latest === null || latest === 'failed' ? (
          // A new element, so that screen readers announce it again.
          <p key={latest} role={latest ? 'alert' : 'status'} className="px-4 py-6 text-sm">
            {latest ? 'The server could not be reached. Close this and open it again.' : 'Fetching…'}
          </p>
        ) : (
          <BellPanel {...{ latest, unread, markAll }} close={() => panel.current?.hidePopover()} />
        )}
      </div>
    </>
  )
}

/** Positions the panel beside the navigation, or below the button on phones. */
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
