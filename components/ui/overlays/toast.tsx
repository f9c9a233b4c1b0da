import { useSyncExternalStore } from 'react'

type ToastOptions = {
  /** Milliseconds until it disappears; Infinity: until it is closed. */
  duration?: number
  action?: { label: string; onClick: () => void }
}
export type Toast = ToastOptions & { id: number; tone: 'success' | 'error' | 'plain'; text: string }

/** Only this many are shown; the oldest are removed first. */
const MOST = 5

let shown: readonly Toast[] = []
let last = 0
const listeners = new Set<() => void>()

function show(next: readonly Toast[]) {
  shown = next
  for (const listener of listeners) listener()
}

const as =
  (tone: Toast['tone']) =>
  (text: string, options: ToastOptions = {}): number => {
    const id = ++last
    show([...shown, { ...options, id, tone, text }].slice(-MOST))
    return id
  }

/** Shows a toast from anywhere in the browser. Returns an id to dismiss it. */
export const toast = Object.assign(as('plain'), {
  success: as('success'),
  error: as('error'),
  dismiss: (id: number) => show(shown.filter((one) => one.id !== id)),
})

function subscribe(listener: () => void) {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

const NONE: readonly Toast[] = []
export const useToasts = () =>
  useSyncExternalStore(
    subscribe,
    () => shown,
    () => NONE,
  )
