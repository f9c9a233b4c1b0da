'use client'

import { Braces } from 'lucide-react'
import { useRef } from 'react'
import { buttonClass } from '#components/ui/button'
import { Field } from '#components/ui/field'
import { Input } from '#components/ui/input'
import { Menu } from '#components/ui/menu'
import { menuItemClass } from '#components/ui/menu-item-class'
import { Textarea } from '#components/ui/textarea'
import { mergeField, unknownFields } from './merge-fields.tsx'

export type Message = { subject: string; body: string }

type Props = {
  message: Message
  onChange: (message: Message) => void
  /** Columns of the leads, offered and checked against; empty where no dataset is known. */
  fields: string[]
  subjectHint?: string
  names?: { subject: string; body: string }
}

/** Subject and body with merge fields offered at the cursor; unknown ones are marked as they are typed. */
export function MessageFields({ message, onChange, fields, subjectHint, names }: Props) {
  const last = useRef<HTMLInputElement | HTMLTextAreaElement | null>(null)
  const unknown = fields.length > 0 ? unknownFields(`${message.subject} ${message.body}`, fields) : []

  function insert(name: string) {
    const control = last.current
    const key = control?.dataset.part === 'subject' ? 'subject' : 'body'
    const at = control?.selectionStart ?? message[key].length
    const written = mergeField(name)
    onChange({
      ...message,
      [key]: message[key].slice(0, at) + written + message[key].slice(control?.selectionEnd ?? at),
    })
    requestAnimationFrame(() => {
      control?.focus()
      control?.setSelectionRange(at + written.length, at + written.length)
    })
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Field label="Subject" name={names?.subject} hint={subjectHint}>
        <Input
          data-part="subject"
          value={message.subject}
          maxLength={998}
          onFocus={(event) => {
            last.current = event.currentTarget
          }}
          onChange={(event) => onChange({ ...message, subject: event.target.value })}
        />
      </Field>
      <Field
        label="Message"
        name={names?.body}
        error={unknown.length > 0 ? `No lead has: ${unknown.join(', ')}` : undefined}
        aside={<FieldMenu fields={fields} insert={insert} />}
      >
        <Textarea
          data-part="body"
          rows={10}
          value={message.body}
          onFocus={(event) => {
            last.current = event.currentTarget
          }}
          onChange={(event) => onChange({ ...message, body: event.target.value })}
          className="min-h-52 font-mono leading-6"
        />
      </Field>
    </div>
  )
}

function FieldMenu({ fields, insert }: { fields: string[]; insert: (name: string) => void }) {
  if (fields.length === 0) return null
  return (
    <Menu
      label="Insert a merge field"
      triggerClass={buttonClass({ variant: 'ghost', size: 'sm' })}
      trigger={
        <>
          <Braces aria-hidden /> Insert a merge field
        </>
      }
    >
      <div className="max-h-72 overflow-y-auto">
        {fields.map((name) => (
          <button
            key={name}
            type="button"
            role="menuitem"
            tabIndex={-1}
            className={menuItemClass()}
            onClick={(event) => {
              event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
              insert(name)
            }}
          >
            {name}
          </button>
        ))}
      </div>
    </Menu>
  )
}
