'use client'

import { Maximize2, ZoomIn, ZoomOut } from 'lucide-react'
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useRef, useState } from 'react'
import { IconButton } from '#components/ui/controls/icon-button'

const STEPS = [0.4, 0.5, 0.6, 0.75, 0.9, 1, 1.25, 1.5]
const larger = (zoom: number) => STEPS.find((step) => step > zoom) ?? zoom
const smaller = (zoom: number) => STEPS.findLast((step) => step < zoom) ?? zoom

type Props = { width: number; height: number; label: string; note: ReactNode; children: ReactNode }

/** Ctrl+wheel, with a native listener: React's cannot prevent the browser's own zoom. */
function useWheel(pane: RefObject<HTMLElement | null>, setZoom: (next: (zoom: number) => number) => void) {
  useEffect(() => {
    const element = pane.current
    const byWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      setZoom(event.deltaY < 0 ? larger : smaller)
    }
    element?.addEventListener('wheel', byWheel, { passive: false })
    return () => element?.removeEventListener('wheel', byWheel)
  }, [pane, setZoom])
}

/** A scrollable pane over a larger area; zooms by buttons, the keys + − 0, and Ctrl+wheel. */
export function Zoom({ width, height, label, note, children }: Props) {
  const [zoom, setZoom] = useState(1)
  const pane = useRef<HTMLDivElement>(null)
  useWheel(pane, setZoom)
  // Content wider than the pane is initially zoomed to fit.
  useEffect(() => {
    const room = pane.current?.clientWidth
    if (room) setZoom(Math.max(STEPS[0] ?? 1, Math.min(1, room / width)))
  }, [width])
  const showAll = () => {
    const { clientWidth = width, clientHeight = height } = pane.current ?? {}
    setZoom(Math.max(0.4, Math.min(1, clientWidth / width, clientHeight / height)))
  }
  function byKeyboard(event: KeyboardEvent) {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') setZoom(larger)
    else if (event.key === '-') setZoom(smaller)
    else if (event.key === '0') showAll()
    else return
    event.preventDefault()
  }
  const [isLeast, isMost] = [smaller(zoom) === zoom, larger(zoom) === zoom]
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys for what the buttons do, wherever in the picture the focus is
    <div onKeyDown={byKeyboard} className="min-w-0 rounded-md border border-border bg-bg">
      <div className="flex min-h-10 items-center gap-1 border-b border-border px-2 text-sm">
        <span className="min-w-0 flex-1 truncate pl-1 text-muted">{note}</span>
        <IconButton small label="Smaller" aria-disabled={isLeast} onClick={() => setZoom(smaller)}>
          <ZoomOut />
        </IconButton>
        <output className="w-12 text-center text-xs text-muted tabular-nums">
          {Math.round(zoom * 100)} %
        </output>
        <IconButton small label="Larger" aria-disabled={isMost} onClick={() => setZoom(larger)}>
          <ZoomIn />
        </IconButton>
        <IconButton small label="Show all" onClick={showAll}>
          <Maximize2 />
        </IconButton>
      </div>
      <section
        ref={pane}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
        tabIndex={0}
        className="max-h-[calc(100dvh-12rem)] min-h-80 overflow-auto"
      >
        <div className="relative mx-auto" style={{ width: width * zoom, height: height * zoom }}>
          <div className="absolute origin-top-left" style={{ width, height, transform: `scale(${zoom})` }}>
            {children}
          </div>
        </div>
      </section>
    </div>
  )
}
