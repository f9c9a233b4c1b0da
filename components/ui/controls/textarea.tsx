'use client'

import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlClass } from './control-class.tsx'
import { useFieldWiring } from './field.tsx'

/** Starts with `rows` lines and grows with its text if the browser supports that, else scrolls. */
export function Textarea({ className, rows = 4, style, ...rest }: ComponentProps<'textarea'>) {
  const classes = clsx(controlClass, 'field-sizing-content max-h-[70dvh] py-1.5', className)
  // With content sizing, browsers ignore `rows`.
  const height = { minHeight: `calc(${rows} * 1lh + 0.875rem)`, ...style }
  return <textarea rows={rows} className={classes} style={height} {...useFieldWiring(rest)} />
}
