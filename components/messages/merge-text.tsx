'use client'

import { clsx } from 'clsx'
import { type RefObject, useContext, useRef, useState } from 'react'
import { Input } from '#components/ui/controls/input'
import { Textarea } from '#components/ui/controls/textarea'
import { splitMergeFields } from './merge-fields.tsx'
import type PlainOffer from './offered/plain-offer.tsx'
import { OfferedTemplates } from './offered/source.tsx'

type Control = HTMLInputElement | HTMLTextAreaElement

type Props = {
  value: string
  onChange: (value: string) => void
  /** Suggested after `{{`; other fields are marked as unknown. Empty if no dataset is known. */
  fields: string[]
  multiline?: boolean
  maxLength?: number
  disabled?: boolean | undefined
  onFocus?: (control: Control) => void
  className?: string
}

/** Loaded with the first brace or slash: most texts have neither, and the page's script budget is tight. */
function useOffers() {
  const [Offers, setOffers] = useState<typeof PlainOffer | null>(null)
  const hear = (letter = ' ') => {
    if (!Offers && '{/'.includes(letter))
      void import('./offered/plain-offer.tsx').then((module) => setOffers(() => module.default))
  }
  return { Offers, hear }
}

/**
 * A text field with highlighted merge fields and suggestions. The highlighting is a copy of the text under
 * the native control, aligned character by character.
 */
export function MergeText({ value, onChange, fields, multiline, className, onFocus, ...rest }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const under = useRef<HTMLDivElement>(null)
  const [caret, setCaret] = useState<number | null>(null)
  const { Offers, hear } = useOffers()
  const source = useContext(OfferedTemplates)
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
    onScroll: follow,
    onBlur: () => setCaret(null),
    onFocus: (event: { currentTarget: Control }) => onFocus?.(event.currentTarget),
    onChange: ({ currentTarget: { value: text, selectionStart } }: { currentTarget: Control }) => {
      setCaret(selectionStart)
      onChange(text)
      hear(text[(selectionStart ?? 0) - 1])
    },
    className: clsx('col-start-1 row-start-1 min-w-0 bg-transparent!', className),
  }
  return (
    <div ref={frame} className="relative grid grid-cols-[minmax(0,1fr)] rounded-sm bg-surface">
      <Under
        text={value}
        fields={fields}
        caret={caret}
        multiline={multiline}
        className={className}
        box={under}
      />
      {multiline ? <Textarea rows={10} {...wiring} /> : <Input {...wiring} />}
      {Offers && <Offers frame={frame} fields={fields} source={multiline ? source : null} />}
    </div>
  )
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
