'use client'

import { useCallback, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import type { Template } from '#lib/contracts/messages/templates'
import { MessageFields } from './message-fields.tsx'
import { MessagePreview, type RenderMessage } from './message-preview.tsx'

type Props = {
  template: Template | null
  save: FormAction
  render: RenderMessage
  fields: string[]
  /** How many leads the preview can leaf through. */
  leads: number
}

/** Sends `name`, `subject` and `body`. */
export function TemplateEditor({ template, save, render, fields, leads }: Props) {
  const [message, setMessage] = useState({
    subject: template?.content.subject ?? '',
    body: template?.content.body ?? 'Hi {{ first_name | default: "there" }},\n\n',
  })
  const renderLead = useCallback((lead: number) => render(message, lead), [render, message])
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <ActionForm action={save} className="grid content-start gap-4">
        <KeptFields
          name={`template:${template?.template_id ?? 'new'}`}
          what="The template"
          {...(template && {
            version: template.version,
            values: { name: template.name, ...template.content },
          })}
        />
        <Field label="Name" name="name" required>
          <Input maxLength={255} defaultValue={template?.name} />
        </Field>
        <MessageFields
          message={message}
          onChange={setMessage}
          fields={fields}
          names={{ subject: 'subject', body: 'body' }}
        />
        <div>
          <SubmitButton>{template ? 'Save template' : 'Create template'}</SubmitButton>
        </div>
      </ActionForm>
      <div className="lg:sticky lg:top-4 lg:self-start">
        <MessagePreview render={renderLead} leads={leads} />
      </div>
    </div>
  )
}
