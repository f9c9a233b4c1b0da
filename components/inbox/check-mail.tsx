'use client'

import { RefreshCw } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { ActionButton } from '#components/ui/controls/action-button'
import type { Act } from '#components/ui/use-action'

/** Reads the mailboxes when the inbox is opened, and on request. */
export function CheckMail({ quietly, now }: { quietly: () => Promise<void>; now: Act }) {
  const isOpened = useRef(false)
  useEffect(() => {
    if (!isOpened.current) void quietly()
    isOpened.current = true
  }, [quietly])
  return (
    <ActionButton act={now}>
      <RefreshCw aria-hidden className="size-4" />
      Check now
    </ActionButton>
  )
}
