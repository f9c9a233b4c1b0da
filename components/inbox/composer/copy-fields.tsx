'use client'

import { clsx } from 'clsx'
import { type ReactNode, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'

export type Others = { name: string | null; address: string }[]
type Props = { others: Others; begun: { cc: string[]; bcc: string[] } | null; children: ReactNode }

const FIELDS = [
  { name: 'cc', label: 'Cc' },
  { name: 'bcc', label: 'Bcc' },
] as const

/** Emits an input event, so that the text is kept like typed text. */
function type(input: HTMLInputElement, text: string) {
  input.value = text
  input.dispatchEvent(new Event('input', { bubbles: true }))
}

/** The Cc and Bcc fields, hidden until requested or filled by a draft. */
export function CopyFields({ others, begun, children }: Props) {
  const frame = useRef<HTMLDivElement>(null)
  const [isShown, setShown] = useState(Boolean(begun && begun.cc.length + begun.bcc.length > 0))
  const input = (name: string) => frame.current?.querySelector<HTMLInputElement>(`[name="${name}"]`)
  function open() {
    flushSync(() => setShown(true))
    input('cc')?.focus()
  }
  function answerAll() {
    const cc = input('cc')
    if (!cc) return
    const typed = cc.value.split(',').map((one) => one.trim())
    type(cc, [...new Set([...typed, ...others.map(({ address }) => address)])].filter(Boolean).join(', '))
    open()
  }
  return (
    <div ref={frame} className={clsx('w-full', !isShown && 'in-[[data-composer]]:-mb-2')}>
      <div hidden={!isShown} className="grid gap-3 sm:grid-cols-2 [&[hidden]]:hidden">
        {FIELDS.map(({ name, label }) => (
          <Field key={name} label={label} name={name}>
            <Input
              defaultValue={begun?.[name].join(', ')}
              placeholder="ada@example.com, …"
              autoComplete="off"
              spellCheck={false}
              inputMode="email"
              maxLength={5_000}
              onInput={() => setShown(true)}
            />
          </Field>
        ))}
      </div>
      <AddressLine>
        {children}
        {!isShown && (
          <Button size="sm" variant="ghost" onClick={open}>
            Cc, Bcc
          </Button>
        )}
        {others.length > 0 && (
          <Button
            size="sm"
            variant="ghost"
            title={others.map(({ name, address }) => name ?? address).join(', ')}
            onClick={answerAll}
          >
            Reply all ({others.length + 1})
          </Button>
        )}
      </AddressLine>
    </div>
  )
}

/** Beside the choice between reply and note if there is room; on a phone only while typing. */
export const AddressLine = ({ children }: { children: ReactNode }) => (
  <div className="flex min-h-7 max-w-full items-center justify-end gap-1 text-sm empty:hidden max-sm:justify-start max-sm:in-[[data-composer]:not([data-used])]:hidden max-sm:in-data-used:mb-2 sm:in-[[data-composer]]:absolute sm:in-[[data-composer]]:-top-9 sm:in-[[data-composer]]:right-0 sm:in-[[data-composer]]:max-w-[calc(100%-8rem)]">
    {children}
  </div>
)
