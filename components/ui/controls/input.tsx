'use client'

import { clsx } from 'clsx'
import type { ComponentProps } from 'react'
import { controlClass } from './control-class.tsx'
import { useFieldWiring } from './field.tsx'

export function Input({ className, type = 'text', ...rest }: ComponentProps<'input'>) {
  return (
    <input type={type} className={clsx(controlClass, 'h-9 sm:h-8', className)} {...useFieldWiring(rest)} />
  )
}
