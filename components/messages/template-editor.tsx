'use client'

import { useCallback, useRef, useState } from 'react'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import type { AttachedFile } from '#lib/contracts/messages/attachments'
import type { Template } from '#lib/contracts/messages/templates'
import { copyName } from '#lib/domain/text/copy-name'
import { AttachButton } from './attached/attach-button.tsx'
import { AttachedList, keptFiles } from './attached/attached-list.tsx'
import { keptLeadFiles } from './attached/kept-lead-files.tsx'
import { LeadFilesField } from './attached/lead-files-field.tsx'
import { type AttachActs, useAttached } from './attached/use-attached.tsx'
import { MessageFields } from './message-fields.tsx'
import { MessagePreview, type RenderMessage } from './message-preview.tsx'
import { OfferedTemplates, type TemplateSource } from './offered/source.tsx'

type Props = {
  template: Template | null
  /** The template's files, or those a copy starts with. */
  files: AttachedFile[]
  /** The same for files per lead. */
  leadFiles: AttachedFile[]
  attach: AttachActs
  /** Templates offered after "/". */
  offered: TemplateSource
  /** The template that a new one copies. */
  begins?: Pick<Template, 'template_id' | 'name' | 'content'> | undefined
  /** Absent if the workspace has no child workspaces. */
  sharing?: { used_by_children: number } | null
  save: FormAction
  render: RenderMessage
  fields: string[]
  /** How many leads the preview can show. */
  leads: number
}

/** Sends `name`, `subject`, `body`, `attachments` and `lead_files`. */
export function TemplateEditor(props: Props) {
  const { template, begins, files, leadFiles, attach, offered, sharing, save, render, fields, leads } = props
  const first = template ?? begins
  const [message, setMessage] = useState({
    subject: first?.content.subject ?? '',
    body: first?.content.body ?? 'Hi {{ first_name | default: "there" }},\n\n',
  })
  const attached = useAttached(attach, template?.template_id ?? 'new', files)
  const attachButton = useRef<HTMLButtonElement>(null)
  const renderLead = useCallback((lead: number) => render(message, lead), [render, message])
  return (
    <div className="grid gap-4 lg:grid-cols-2">
      <ActionForm action={save} className="grid content-start gap-4">
        <KeptFields
          name={`template:${template?.template_id ?? (begins ? `copy:${begins.template_id}` : 'new')}`}
          what="The template"
          {...(template && {
            version: template.version,
            values: {
              name: template.name,
              subject: template.content.subject,
              body: template.content.body,
              attachments: keptFiles(files),
              lead_files: keptLeadFiles(template.content.lead_files, leadFiles),
              ...(sharing && { is_shared: template.is_shared }),
            },
          })}
        />
        <Field label="Name" name="name" required>
          <Input maxLength={255} defaultValue={template?.name ?? (begins && copyName(begins.name))} />
        </Field>
        <OfferedTemplates value={{ ...offered, except: template?.template_id }}>
          <MessageFields
            message={message}
            onChange={setMessage}
            fields={fields}
            canBeRich
            names={{ subject: 'subject', body: 'body' }}
          />
        </OfferedTemplates>
        <AttachedList attached={attached} button={attachButton} />
        <div className="flex flex-wrap items-center gap-2">
          <AttachButton attached={attached} button={attachButton} />
          <p className="text-sm text-muted">Files in a first email often land it in spam. Prefer a link.</p>
        </div>
        <LeadFilesField
          key={template?.version}
          attach={attach}
          begun={{ column: '', without: 'hold', ...first?.content.lead_files, files: leadFiles }}
          fields={fields}
        />
        {sharing && <ShareField is_shared={template?.is_shared ?? false} {...sharing} />}
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

function ShareField({
  is_shared,
  used_by_children: count,
}: {
  is_shared: boolean
  used_by_children: number
}) {
  const used = `${count.toLocaleString('en')} ${count === 1 ? 'campaign of a child uses' : 'campaigns of children use'} it: `
  return (
    <>
      <input type="hidden" name="sharing" value="asked" data-unkept />
      <Checkbox
        name="is_shared"
        label="Share with child workspaces"
        hint={`They can use and copy it, but not change it. ${
          is_shared && count > 0
            ? `${used}if you stop sharing, launched ones keep the text, and drafts lose it.`
            : 'Campaigns keep the text they were launched with.'
        }`}
        defaultChecked={is_shared}
      />
    </>
  )
}
