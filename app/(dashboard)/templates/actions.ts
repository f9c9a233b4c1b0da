'use server'

import type { Message } from '#components/messages/message-fields'
import type { Rendered } from '#components/messages/message-preview'
import { adoptTemplates } from '#lib/operations/campaigns/campaign-edits'
import * as operations from '#lib/operations/messages/templates'
import { action, answered, formAction, perform, rehearse } from '../../action.ts'
import { attachedIds, formText, formVersion, leadFiles } from '../../form-result.ts'

const anew = '/templates'
const thisTemplate = (template_id: string) => ({ params: { template_id } })
/** The controls are named "subject", "body" and "attachments"; in the contract these are inside `content`. */
const control = (path: string) =>
  path
    .replace(/^content\./, '')
    .replace(/^attachment_ids.*/, 'attachments')
    .replace(/^lead_files.*/, 'lead_files')

function readFields(data: FormData) {
  const body = data.get('body')
  return {
    name: formText(data, 'name'),
    content: {
      subject: formText(data, 'subject'),
      body: typeof body === 'string' ? body : '',
      attachment_ids: attachedIds(data),
      lead_files: leadFiles(data),
    },
    // The control exists only if there are child workspaces.
    ...(data.has('sharing') ? { is_shared: data.has('is_shared') } : {}),
  }
}

export const createTemplate = formAction(operations.createTemplate, (data) => ({ body: readFields(data) }), {
  anew,
  to: '/templates',
  control,
})

export const updateTemplate = formAction(
  operations.updateTemplate,
  (data, template_id: string) => ({
    ...thisTemplate(template_id),
    body: { ...readFields(data), version: formVersion(data) },
  }),
  {
    anew,
    control,
    said: ({ older_in }) => {
      if (older_in.length === 0) return 'Template saved.'
      return `Template saved. ${older_in.length === 1 ? '1 launched campaign still uses' : `${older_in.length} launched campaigns still use`} the older text.`
    },
  },
)

const adopted = (template_id: string, campaign_id: string) => ({
  params: { campaign_id },
  body: { template_ids: [template_id] },
})

/** What updating a campaign to this template's current text would change, or why it cannot. */
export async function previewAdoption(templateId: string, campaignId: string) {
  const preview = await answered(() => rehearse(adoptTemplates, adopted(templateId, campaignId)))
  return preview.ok ? { preview: preview.answer } : { refused: preview.message }
}

export const adoptTemplate = action(adoptTemplates, adopted, {
  anew,
  said: 'The campaign now uses the new text.',
})

export const deleteTemplate = action(operations.deleteTemplate, thisTemplate, {
  anew,
  said: 'Template deleted.',
})

/** The text rendered for the lead at this position of the newest dataset. */
export async function renderTemplate({ subject, body }: Message, lead_index: number): Promise<Rendered> {
  const shown = await answered(() =>
    perform(operations.renderTemplate, { body: { subject, body, lead_index } }),
  )
  return shown.ok ? shown.answer : { to: null, subject, text: body, problems: [shown.message] }
}
