'use client'

import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlClass } from './control-class.tsx'
import { useFieldWiring } from './field.tsx'

/** As high as `rows` at first; grows with its text where the browser can, else scrolls. */
export function Textarea({ className, rows = 4, style, ...rest }: ComponentProps<'textarea'>) {
  const classes = clsx(controlClass, 'field-sizing-content max-h-[70dvh] py-1.5', className)
  // Sized by its content, a browser no longer asks for the rows.
  const height = { minHeight: `calc(${rows} * 1lh + 0.875rem)`, ...style }
  return <textarea rows={rows} className={classes} style={height} {...useFieldWiring(rest)} />
}
