'use client'

import { createContext, type ReactNode, useContext, useId } from 'react'
import { useFieldError } from './action-form.tsx'

type Wiring = {
  id: string
  name: string | undefined
  required: boolean | undefined
  isInvalid: boolean
  describedBy: string | undefined
}

const FieldContext = createContext<Wiring | null>(null)

type Props = {
  label: ReactNode
  /** The control's name; the surrounding ActionForm's result is searched for an error under it. */
  name?: string
  required?: boolean
  hint?: ReactNode
  /** An error set directly, if there is no form result. */
  error?: string
  /** Content beside the label, such as a link or a counter. */
  aside?: ReactNode
  /** The label is for screen readers only, as in a table with headings. */
  hideLabel?: boolean
  className?: string
  children: ReactNode
}

/**
 * Connects label, hint and error to the control inside. Uses context rather than cloning, because a child
 * from a server component is not an element yet.
 */
export function Field({ label, name, required, hint, error, aside, hideLabel, className, children }: Props) {
  const id = useId()
  const formError = useFieldError(name)
  const message = error ?? formError
  const describedBy = [hint && `${id}-hint`, message && `${id}-error`].filter(Boolean).join(' ') || undefined
  return (
    <div className={className}>
      <div
        className={
          hideLabel ? 'sr-only' : 'mb-1 flex flex-wrap items-baseline justify-between gap-x-3 text-sm'
        }
      >
        <label htmlFor={id} className="min-w-0 font-medium wrap-anywhere">
          {label}
          {required && <span className="font-normal text-muted"> (required)</span>}
        </label>
        {aside}
      </div>
      <FieldContext value={{ id, name, required, isInvalid: Boolean(message), describedBy }}>
        {children}
      </FieldContext>
      {message && (
        <p id={`${id}-error`} className="mt-1 text-sm text-danger">
          {message}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className="mt-1 text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  )
}

type ControlProps = { id?: string; name?: string; required?: boolean }

/** Props that a control takes from its Field; its own props win. */
export function useFieldWiring<T extends ControlProps>(props: T) {
  const field = useContext(FieldContext)
  if (!field) return props
  return {
    ...props,
    id: props.id ?? field.id,
    name: props.name ?? field.name,
    required: props.required ?? field.required,
    'aria-invalid': field.isInvalid || undefined,
    'aria-describedby': field.describedBy,
  }
}
