'use client'

import { useEffect, useEffectEvent, useRef } from 'react'

type Props = { name: string; label: string; value: string; onRestore: (value: string) => void }

/**
 * Carries a value that no single control shows. A draft or another edit that replaces it is passed to
 * `onRestore`.
 */
export function HiddenValue({ name, label, value, onRestore }: Props) {
  const control = useRef<HTMLInputElement>(null)
  const hear = useEffectEvent((event: HTMLElementEventMap['restore']) => onRestore(event.detail))
  useEffect(() => {
    const element = control.current
    const listen = (event: HTMLElementEventMap['restore']) => hear(event)
    element?.addEventListener('restore', listen)
    return () => element?.removeEventListener('restore', listen)
  }, [])
  return <input ref={control} type="hidden" name={name} data-label={label} value={value} />
}
