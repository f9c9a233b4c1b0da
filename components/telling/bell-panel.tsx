'use client'

import type { FormResult } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Link } from '#components/ui/controls/link'
import { useAction } from '#components/ui/use-action'
import { BellItems, type Latest } from './bell-items.tsx'

type Props = {
  latest: Latest
  unread: number
  markAll: () => Promise<FormResult>
  close: () => void
}

/** The panel opened by the bell, once its list is loaded. */
export function BellPanel({ latest, unread, markAll, close }: Props) {
  const { run, isPending } = useAction(markAll)
  return (
    <>
      <header className="flex min-h-11 items-center justify-between gap-3 border-b border-border px-4 py-2">
        <h2 className="text-sm font-semibold">Notifications</h2>
        {unread > 0 && (
          <Button size="sm" onClick={run} aria-busy={isPending}>
            Mark all as read
          </Button>
        )}
      </header>
      <BellItems latest={latest} isAllRead={unread === 0} close={close} />
      <footer className="border-t border-border px-4 py-2 text-sm">
        <Link
          href="/settings/notifications"
          onClick={close}
          className="rounded-xs text-accent-text hover:underline"
        >
          All notifications and their settings
        </Link>
      </footer>
    </>
  )
}
