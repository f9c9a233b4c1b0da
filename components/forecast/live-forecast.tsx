'use client'

import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'

type Props = {
  /** Names the saved state; what was drawn for a form before it was saved is over with it. */
  version: string
  /** What the forecast is while nothing was changed. */
  shown: ReactNode
  /** The same for a form that is not saved; null where its values make no schedule. */
  forecast: (data: FormData) => Promise<ReactNode>
  children: ReactNode
}

const PAUSE_MS = 300

/** Draws the forecast anew while the form above it is being changed; the drawing comes from the server, ready made. */
export function LiveForecast({ version, shown, forecast, children }: Props) {
  const [drawn, setDrawn] = useState<{ version: string; node: ReactNode } | null>(null)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(0)
  useEffect(() => () => clearTimeout(timer.current), [])

  function redraw(form: HTMLFormElement | null) {
    clearTimeout(timer.current)
    if (!form) return
    timer.current = setTimeout(async () => {
      latest.current += 1
      const turn = latest.current
      const answer = await forecast(new FormData(form)).catch(() => null)
      // An answer that a newer one has overtaken is dropped.
      if (turn !== latest.current || answer === null) return
      // Parts of it may still be on their way: until they are here, what is shown stays.
      startTransition(() => setDrawn({ version, node: answer }))
    }, PAUSE_MS)
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-[26rem_minmax(0,1fr)]">
      <div
        onChange={(event) =>
          redraw(event.target instanceof HTMLElement ? event.target.closest('form') : null)
        }
      >
        {children}
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 xl:sticky xl:top-4">
        {drawn?.version === version && (
          <p role="status" className="text-sm text-muted">
            Based on the schedule on this page. Nothing is saved yet.
          </p>
        )}
        {drawn?.version === version ? drawn.node : shown}
      </div>
    </div>
  )
}
