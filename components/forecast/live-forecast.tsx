'use client'

import { type ReactNode, startTransition, useEffect, useRef, useState } from 'react'

type Props = {
  /** Identifies the saved state; a preview for unsaved values is discarded when it changes. */
  version: string
  /** The forecast while nothing is changed. */
  shown: ReactNode
  /** Renders the forecast for unsaved values; null if they are no valid schedule. */
  forecast: (data: FormData) => Promise<ReactNode>
  children: ReactNode
}

const PAUSE_MS = 300

/** Updates the forecast while the form above it is edited; the content is rendered on the server. */
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
      // Drop an answer if a newer one has been requested.
      if (turn !== latest.current || answer === null) return
      // Keep the current content until all streamed parts have arrived.
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
