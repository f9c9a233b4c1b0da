'use client'

import { type ReactNode, useContext, useRef } from 'react'
import { Field } from '#components/ui/controls/field'
import { BodyField } from './body-field.tsx'
import { FieldMenu } from './field-menu.tsx'
import { mergeField, unknownFields, withFallback } from './merge-fields.tsx'
import { MergeText } from './merge-text.tsx'
import { OfferedTemplates } from './offered/source.tsx'
import { UsedFields } from './used-fields.tsx'

export type Message = { subject: string; body: string }

type Props = {
  message: Message
  onChange: (message: Message) => void
  /** The leads' columns, for suggestions and checks; empty if no dataset is known. */
  fields: string[]
  /** False for texts without a subject, such as an invitation note. */
  subject?: boolean
  subjectHint?: string | undefined
  bodyLabel?: string
  bodyHint?: ReactNode
  /** Length errors, from a caller that knows the limits. */
  errors?: { subject?: string | undefined; body?: string | undefined }
  names?: { subject: string; body: string }
  /** Whether the channel supports HTML. */
  canBeRich?: boolean
  disabled?: boolean
}

/**
 * Subject and body with merge field suggestions. Unknown fields are marked, and fallbacks are listed below.
 */
export function MessageFields(props: Props) {
  const { message, onChange, fields, subject = true, names, errors, disabled, canBeRich = false } = props
  const last = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  const insertRich = useRef<((source: string) => void) | null>(null)
  const both = `${subject ? message.subject : ''} ${message.body}`
  const unknown = fields.length > 0 ? unknownFields(both, fields) : []
  const marked = unknown.length > 0 ? `No lead has: ${unknown.join(', ')}` : undefined

  const insert = (name: string) =>
    insertRich.current && !last.current
      ? insertRich.current(mergeField(name))
      : insertAt(last.current, mergeField(name), message, onChange)
  const onFocus = (control: HTMLInputElement | HTMLTextAreaElement | null) => {
    last.current = control
  }
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      {subject && (
        <Field label="Subject" name={names?.subject} hint={props.subjectHint} error={errors?.subject}>
          <MergeText
            fields={fields}
            disabled={disabled}
            onFocus={onFocus}
            value={message.subject}
            maxLength={998}
            onChange={(text) => onChange({ ...message, subject: text })}
          />
        </Field>
      )}
      <BodyField
        value={message.body}
        onChange={(body) => onChange({ ...message, body })}
        fields={fields}
        label={props.bodyLabel ?? 'Message'}
        name={names?.body}
        error={errors?.body ?? marked}
        hint={<BodyHint canPutFields={fields.length > 0}>{props.bodyHint}</BodyHint>}
        aside={<FieldMenu fields={fields} insert={insert} />}
        canBeRich={canBeRich}
        rows={subject ? 'min-h-52' : 'min-h-32'}
        disabled={disabled}
        onFocus={onFocus}
        onReady={(put) => {
          insertRich.current = put
          last.current = null
        }}
      />
      <UsedFields
        text={both}
        fields={fields}
        disabled={disabled}
        onFallback={(name, fallback) =>
          onChange({
            subject: withFallback(message.subject, name, fallback),
            body: withFallback(message.body, name, fallback),
          })
        }
      />
    </div>
  )
}

/** The keys for suggestions, and below them the channel's rules. */
function BodyHint({ canPutFields, children }: { canPutFields: boolean; children: ReactNode }) {
  const keys = [
    useContext(OfferedTemplates)?.any && '/ for a template',
    canPutFields && '{{ for a merge field',
  ].filter(Boolean)
  return (
    <>
      {keys.length > 0 && <span className="block">Type {keys.join(', ')}.</span>}
      {children}
    </>
  )
}

/** Replaces the selection in a control; without one, appends to the message. */
function insertAt(
  control: HTMLInputElement | HTMLTextAreaElement | null,
  written: string,
  message: Props['message'],
  onChange: Props['onChange'],
) {
  const key = control instanceof HTMLInputElement ? 'subject' : 'body'
  const at = control?.selectionStart ?? message[key].length
  const rest = message[key].slice(control?.selectionEnd ?? at)
  onChange({ ...message, [key]: message[key].slice(0, at) + written + rest })
  requestAnimationFrame(() => {
    control?.focus()
    control?.setSelectionRange(at + written.length, at + written.length)
  })
}
