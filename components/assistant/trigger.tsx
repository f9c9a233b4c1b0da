'use client'

import { MessageCircle } from 'lucide-react'

/** Opens the assistant for users who do not know its shortcut. */
export function AssistantTrigger({ short }: { short?: boolean }) {
  return (
    <button
      type="button"
      onClick={() => document.dispatchEvent(new Event('opener:assistant'))}
      aria-keyshortcuts="Control+J Meta+J"
      aria-label={short ? 'Assistant' : undefined}
      className={
        short
          ? 'grid size-9 place-items-center rounded-sm text-muted hover:bg-hover'
          : 'mt-2 flex h-7 w-full items-center gap-2.5 rounded-sm px-2 text-sm text-muted hover:bg-hover hover:text-text max-lg:justify-center max-lg:px-0'
      }
    >
      <MessageCircle aria-hidden className="size-4" />
      {!short && <span className="max-lg:sr-only">Assistant</span>}
    </button>
  )
}
