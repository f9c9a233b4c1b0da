import { useEffect, useEffectEvent } from 'react'

/** Ctrl+S and Cmd+S, wherever the focus is; the browser's own save dialog is of no use here. */
export function useSaveKey(save: (() => void) | null) {
  const press = useEffectEvent((event: KeyboardEvent) => {
    if (event.key.toLowerCase() !== 's' || !(event.ctrlKey || event.metaKey) || event.altKey) return
    event.preventDefault()
    save?.()
  })
  useEffect(() => {
    const listen = (event: KeyboardEvent) => press(event)
    window.addEventListener('keydown', listen)
    return () => window.removeEventListener('keydown', listen)
  }, [])
}
