'use client'

import { clsx } from 'clsx'
import { Plus, Trash2 } from 'lucide-react'
import { HiddenValue } from '#components/drafts/hidden-value'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { IconButton } from '#components/ui/controls/icon-button'
import { Input } from '#components/ui/controls/input'
import { MAX_WINDOWS } from '#lib/domain/calendar/sending-windows'
import { addSpan, type Span, STEP_MINUTES } from './week-span.ts'

type Props = {
  spans: readonly Span[]
  onChange: (spans: readonly Span[]) => void
  /** Called with the window being edited. */
  onEdit: (index: number) => void
  /** Called when a window is added or removed, which emits no input event. */
  onCount: () => void
}

/** The first window is stored in the campaign's two time fields; further ones are stored separately. */
export function WindowTimes({ spans, onChange, onEdit, onCount }: Props) {
  const count = (next: readonly Span[]) => {
    onChange(next)
    onEdit(next.length - 1)
    setTimeout(onCount, 0)
  }
  return (
    <div className="grid gap-4">
      {spans.map((span, index) => (
        <WindowRow
          // biome-ignore lint/suspicious/noArrayIndexKey: a window has no other name than its place
          key={index}
          span={span}
          index={index}
          isAlone={spans.length === 1}
          onChange={(changed) => onChange(spans.map((one, place) => (place === index ? changed : one)))}
          onEdit={() => onEdit(index)}
          onRemove={() => count(spans.filter((_, place) => place !== index))}
        />
      ))}
      <HiddenValue
        name="further_windows"
        label="More windows"
        value={spans.length > 1 ? JSON.stringify(spans.slice(1)) : ''}
        onRestore={(value) => onChange([...spans.slice(0, 1), ...readSpans(value)])}
      />
      <div className="grid justify-items-start gap-2">
        {spans.length < MAX_WINDOWS && (
          <Button type="button" variant="secondary" onClick={() => count(addSpan(spans))}>
            <Plus aria-hidden className="size-4" />
            Add a window
          </Button>
        )}
        <p className="text-sm text-muted">
          Drag across a day in {STEP_MINUTES}-minute steps, or enter the times.{' '}
          {spans.length > 1
            ? 'Windows cannot overlap or run past midnight.'
            : 'If “to” is before “from”, the window ends the next day. If both are equal, it lasts all day.'}
        </p>
      </div>
    </div>
  )
}

function readSpans(value: string): Span[] {
  const spans: unknown = value === '' ? [] : JSON.parse(value)
  return Array.isArray(spans) ? spans : []
}

type RowProps = {
  span: Span
  index: number
  /** If there are others, the first keeps their widths although it has no remove button. */
  isAlone: boolean
  onChange: (span: Span) => void
  onEdit: () => void
  onRemove: () => void
}

function WindowRow({ span, index, isAlone, onChange, onEdit, onRemove }: RowProps) {
  const isFirst = index === 0
  const suffix = isFirst ? '' : ` ${index + 1}`
  const side = (key: keyof Span, label: string, name: string, path: string) => (
    <Field label={`${label}${suffix}`} name={isFirst ? name : `sending_windows.${index}.${path}`} required>
      <Input
        type="time"
        step={60}
        {...(isFirst ? {} : { name: '' })}
        value={span[key]}
        onFocus={onEdit}
        onChange={(event) => onChange({ ...span, [key]: event.target.value })}
      />
    </Field>
  )
  return (
    <div className="flex items-end gap-2">
      <div className={clsx('grid min-w-0 grow grid-cols-2 gap-4', isFirst && !isAlone && 'mr-10')}>
        {side('from', 'From', 'sending_window_start', 'start')}
        {side('to', 'To', 'sending_window_end', 'end')}
      </div>
      {!isFirst && (
        <IconButton type="button" label={`Remove window ${index + 1}`} onClick={onRemove}>
          <Trash2 aria-hidden className="size-4" />
        </IconButton>
      )}
    </div>
  )
}
