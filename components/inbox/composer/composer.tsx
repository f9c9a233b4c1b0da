'use client'

import { clsx } from 'clsx'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'

type Mode = 'reply' | 'note'
const MODES = [
  { mode: 'reply', label: 'Reply', key: 'r' },
  { mode: 'note', label: 'Note', key: 'n' },
] as const

/** Switches between reply and internal note; each keeps its text while the other is shown. */
export function Composer({ reply, note }: { reply: ReactNode; note: ReactNode }) {
  const [shown, setShown] = useState<Mode>('reply')
  // Stays expanded after first use: if it shrank on blur, its buttons would move away from the pointer.
  const [isUsed, setUsed] = useState(false)
  const frame = useRef<HTMLDivElement>(null)
  function show(mode: Mode) {
    // Only a visible field can take the focus.
    flushSync(() => setShown(mode))
    frame.current?.querySelector<HTMLElement>(`[data-mode="${mode}"] textarea`)?.focus()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: it only hears that somebody writes
    <div
      ref={frame}
      data-composer
      data-used={isUsed || undefined}
      onFocus={({ target }) => target.matches('textarea') && setUsed(true)}
      className={clsx(
        'rounded-md border bg-surface px-4 pt-2 pb-3',
        shown === 'note' ? 'border-warning-border' : 'border-border',
      )}
    >
      <div className="mb-2 flex w-fit gap-1">
        {MODES.map(({ mode, label, key }) => (
          <button
            key={mode}
            type="button"
            aria-pressed={shown === mode}
            data-key={key}
            title={key}
            onClick={() => show(mode)}
            className={clsx(
              'min-h-7 rounded-sm px-2 text-sm hover:bg-hover',
              shown === mode ? 'bg-hover font-medium' : 'text-muted',
            )}
          >
            {label}
          </button>
        ))}
      </div>
      <div data-mode="reply" hidden={shown !== 'reply'}>
        {reply}
      </div>
      <div data-mode="note" hidden={shown !== 'note'}>
        {note}
      </div>
    </div>
  )
}
