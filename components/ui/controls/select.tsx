'use client'

import { clsx } from 'clsx'
import { ChevronDown } from 'lucide-react'
import type { ComponentProps } from 'react'
import { controlClass } from './control-class.tsx'
import { useFieldWiring } from './field.tsx'

export type Option = { value: string; label: string; disabled?: boolean }

/** The native select, with its keyboard handling, type-ahead and phone picker. */
export function Select({
  options,
  placeholder,
  className,
  ...rest
}: ComponentProps<'select'> & { options: Option[]; placeholder?: string }) {
  return (
    <span className={clsx('relative block', className)}>
      <select
        className={clsx(controlClass, 'h-9 appearance-none truncate pr-8 sm:h-8')}
        {...useFieldWiring(rest)}
      >
        {placeholder !== undefined && <option value="">{placeholder}</option>}
        {options.map((option) => (
          <option key={option.value} value={option.value} disabled={option.disabled}>
            {option.label}
          </option>
        ))}
      </select>
      <ChevronDown
        aria-hidden
        className="pointer-events-none absolute top-1/2 right-2 size-4 -translate-y-1/2 text-muted"
      />
    </span>
  )
}
