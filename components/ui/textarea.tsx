'use client'

import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlClass } from './control-class.tsx'
import { useFieldWiring } from './field.tsx'

/** Grows with its text where the browser can, else scrolls. */
export function Textarea({ className, rows = 4, ...rest }: ComponentProps<'textarea'>) {
  const look = clsx(controlClass, 'field-sizing-content min-h-20 py-1.5', className)
  return <textarea rows={rows} className={look} {...useFieldWiring(rest)} />
}
