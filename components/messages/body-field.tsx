'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { HiddenValue } from '#components/drafts/hidden-value'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { SegmentedControl } from '#components/ui/controls/segmented-control'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { isHtml } from '#lib/domain/messages/html'
import { MergeText } from './merge-text.tsx'

// The editor's script is larger than that of the page, so it loads only for rich text.
const RichEditor = dynamic(() => import('./rich/rich-editor.tsx'), {
  ssr: false,
  loading: () => <Skeleton className="h-64" />,
})

type Mode = 'plain' | 'rich' | 'html'

type Props = {
  value: string
  onChange: (value: string) => void
  fields: string[]
  label: string
  name?: string | undefined
  error?: string | undefined
  hint?: ReactNode
  aside?: ReactNode
  /** Whether the channel supports HTML. */
  canBeRich: boolean
  rows: string
  disabled?: boolean | undefined
  /** Null: the caret is in the rich text, where fields are inserted with the function passed to `onReady`. */
  onFocus: (control: HTMLInputElement | HTMLTextAreaElement | null) => void
  onReady: (insert: ((source: string) => void) | null) => void
}

/** A message body: as plain text, in the rich editor, or as HTML source. */
export function BodyField(props: Props) {
  const { value, onChange, fields, label, name, error, hint, aside, canBeRich, disabled } = props
  const { mode, choose, undo, forget } = useMode(props)
  const isRich = mode === 'rich'
  return (
    <Field label={label} {...(isRich ? {} : { name })} error={error} hint={hint} aside={aside}>
      {canBeRich && !disabled && <ModeControl mode={mode} onChoose={choose} />}
      {isRich ? (
        <RichEditor
          {...{ value, onChange, fields, label, disabled }}
          onFocus={() => props.onFocus(null)}
          onReady={props.onReady}
          toSource={() => choose('html')}
        />
      ) : (
        <Plain {...props} />
      )}
      {isRich && name && <HiddenValue name={name} label={label} value={value} onRestore={onChange} />}
      {undo !== null && (
        <p role="status" className="mt-1 flex flex-wrap items-center gap-2 text-sm text-muted">
          Formatting and images were removed.
          <Button
            size="sm"
            variant="ghost"
            onClick={() => {
              forget()
              onChange(undo)
            }}
          >
            Undo
          </Button>
        </p>
      )}
    </Field>
  )
}

/**
 * A body without HTML is plain text, whatever mode was chosen, because a draft or another edit may replace
 * one with the other.
 */
function useMode({ value, onChange, canBeRich }: Props) {
  const [wantsRich, setWantsRich] = useState(() => isHtml(value))
  const [undo, setUndo] = useState<string | null>(null)
  const isMarkup = isHtml(value)
  const fitting: Mode = isMarkup ? 'html' : 'plain'
  const mode: Mode = canBeRich && wantsRich && (isMarkup || value === '') ? 'rich' : fitting
  async function choose(next: Mode) {
    setUndo(null)
    if (next !== 'plain') {
      if (!isMarkup && value.trim()) {
        const { plainToSource } = await import('./rich/rich-source.tsx')
        onChange(plainToSource(value))
      }
      return setWantsRich(next === 'rich')
    }
    const { sourceToPlain } = await import('./rich/convert.tsx')
    const { text, isLess } = isMarkup ? sourceToPlain(value) : { text: value, isLess: false }
    setUndo(isLess ? value : null)
    setWantsRich(false)
    onChange(text)
  }
  const forget = () => {
    setUndo(null)
    setWantsRich(true)
  }
  return { mode, choose, undo, forget }
}

function ModeControl({ mode, onChoose }: { mode: Mode; onChoose: (mode: Mode) => Promise<void> }) {
  return (
    <div className="mb-2">
      <SegmentedControl
        legend="Format"
        name="$body-mode"
        value={mode}
        options={[
          { value: 'plain', label: 'Plain text' },
          { value: 'rich', label: 'Rich text' },
          { value: 'html', label: 'HTML' },
        ]}
        onChange={(next) => onChoose(next === 'rich' || next === 'html' ? next : 'plain')}
      />
    </div>
  )
}

function Plain({ value, onChange, fields, disabled, rows, onFocus }: Props) {
  return (
    <MergeText
      multiline
      value={value}
      fields={fields}
      disabled={disabled}
      className={`${rows} font-mono leading-6`}
      onChange={onChange}
      onFocus={onFocus}
    />
  )
}
