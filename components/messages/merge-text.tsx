'use client'

import { clsx } from 'clsx'
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Input } from '#components/ui/controls/input'
import { Textarea } from '#components/ui/controls/textarea'
import { FieldList } from './field-list.tsx'
import { completed, fittingFields, splitMergeFields, typedField } from './merge-fields.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement

type Props = {
  value: string
  onChange: (value: string) => void
  /** Offered after `{{`, and marked where a text asks for others; empty where no dataset is known. */
  fields: string[]
  multiline?: boolean
  maxLength?: number
  disabled?: boolean | undefined
  onFocus?: (control: Control) => void
  className?: string
}

/**
 * A text control with its merge fields coloured in, and a list of fields while one is being typed. The colours are a
 * copy of the text that lies under the control, letter upon letter: the control itself stays the browser's own.
 */
export function MergeText({ value, onChange, fields, multiline, className, onFocus, ...rest }: Props) {
  const id = useId()
  const control = useRef<Control | null>(null)
  const under = useRef<HTMLDivElement>(null)
  const { caret, setCaret, typed, offered, current, type, take, press } = useCompletion(
    control,
    value,
    onChange,
    fields,
  )
  const isOpen = offered.length > 0
  function follow(event: { currentTarget: Control }) {
    if (!under.current) return
    under.current.scrollTop = event.currentTarget.scrollTop
    under.current.scrollLeft = event.currentTarget.scrollLeft
  }
  const wiring = {
    ...rest,
    value,
    autoComplete: 'off',
    'aria-autocomplete': 'list' as const,
    'aria-controls': isOpen ? `${id}-fields` : undefined,
    'aria-activedescendant': isOpen ? `${id}-fields-${current}` : undefined,
    onKeyDown: press,
    onScroll: follow,
    onBlur: () => setCaret(null),
    onFocus: (event: { currentTarget: Control }) => {
      control.current = event.currentTarget
      onFocus?.(event.currentTarget)
    },
    onChange: (event: { currentTarget: Control }) => {
      control.current = event.currentTarget
      type(event.currentTarget)
    },
    className: clsx('col-start-1 row-start-1 min-w-0 bg-transparent!', className),
  }
  return (
    <div className="relative grid grid-cols-[minmax(0,1fr)] rounded-sm bg-surface">
      <Under
        text={value}
        fields={fields}
        caret={caret}
        multiline={multiline}
        className={className}
        box={under}
      />
      {multiline ? <Textarea rows={10} {...wiring} /> : <Input {...wiring} />}
      {isOpen && (
        <Offered
          id={id}
          names={offered}
          current={current}
          under={under}
          onTake={take}
          typed={typed?.name ?? ''}
        />
      )}
    </div>
  )
}

/** The field that is being typed at the caret, those that it may become, and the ways to take one of them. */
function useCompletion(
  control: RefObject<Control | null>,
  value: string,
  onChange: (value: string) => void,
  fields: string[],
) {
  const caretAfter = useRef<number | null>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const [at, setAt] = useState(0)
  const typed = caret === null ? null : typedField(value, caret)
  const offered = typed ? fittingFields(fields, typed.name) : []
  const isOpen = offered.length > 0
  const current = Math.min(at, offered.length - 1)

  useEffect(() => {
    if (caretAfter.current === null) return
    control.current?.setSelectionRange(caretAfter.current, caretAfter.current)
    caretAfter.current = null
  })

  function take(name: string | undefined) {
    const made = name && caret !== null ? completed(value, caret, name) : null
    setCaret(null)
    if (!made) return
    caretAfter.current = made.caret
    onChange(made.text)
    control.current?.focus()
  }
  function press(event: KeyboardEvent) {
    if (!isOpen) return
    if (event.key === 'Escape') setCaret(null)
    else if (event.key === 'ArrowDown') setAt((current + 1) % offered.length)
    else if (event.key === 'ArrowUp') setAt((current - 1 + offered.length) % offered.length)
    else if (event.key === 'Enter' || event.key === 'Tab') take(offered[current])
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  function type({ selectionStart, value: text }: Control) {
    setAt(0)
    setCaret(selectionStart)
    onChange(text)
  }
  return { caret, setCaret, typed, offered, current, type, take, press }
}

type UnderProps = Pick<Props, 'fields' | 'multiline' | 'className'> & {
  text: string
  caret: number | null
  box: RefObject<HTMLDivElement | null>
}

function Under({ text, fields, caret, multiline, className, box }: UnderProps) {
  let place = 0
  return (
    <div
      ref={box}
      aria-hidden
      className={clsx(
        'pointer-events-none col-start-1 row-start-1 overflow-hidden border border-transparent px-2.5 text-lg text-transparent select-none sm:text-sm',
        multiline
          ? 'py-1.5 break-words whitespace-pre-wrap'
          : 'h-9 leading-[2.125rem] whitespace-pre sm:h-8 sm:leading-[1.875rem]',
        className,
      )}
    >
      {splitMergeFields(text, fields).map((piece) => {
        const start = place
        place += piece.text.length
        const cut = caret !== null && caret >= start && caret <= place ? caret - start : null
        return (
          <span
            key={start}
            className={clsx(
              piece.field === 'known' && 'rounded-xs bg-accent-subtle',
              piece.field === 'unknown' &&
                'rounded-xs bg-danger-subtle underline decoration-danger decoration-wavy',
            )}
          >
            {cut === null ? piece.text : piece.text.slice(0, cut)}
            {cut !== null && <span data-caret />}
            {cut !== null && piece.text.slice(cut)}
          </span>
        )
      })}
    </div>
  )
}

type OfferedProps = {
  id: string
  names: string[]
  current: number
  typed: string
  under: RefObject<HTMLDivElement | null>
  onTake: (name: string) => void
}

function Offered({ id, names, current, typed, under, onTake }: OfferedProps) {
  const list = useRef<HTMLDivElement>(null)
  // Measured after each letter: the list stays at the braces.
  // biome-ignore lint/correctness/useExhaustiveDependencies: what was typed moves the caret
  useEffect(() => {
    const box = under.current
    const mark = box?.querySelector<HTMLElement>('[data-caret]')
    if (!box || !mark || !list.current) return
    const most = box.clientWidth - list.current.offsetWidth
    list.current.style.left = `${Math.max(0, Math.min(mark.offsetLeft - box.scrollLeft, most))}px`
    list.current.style.top = `${mark.offsetTop - box.scrollTop + 26}px`
  }, [typed, under])
  return <FieldList ref={list} id={`${id}-fields`} names={names} current={current} onTake={onTake} />
}
