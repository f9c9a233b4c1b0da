'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { Message } from '#components/messages/message-fields'
import type { Rendered } from '#components/messages/message-preview'
import type { FormResult } from '#components/ui/controls/action-form'
import { AdoptTemplates } from '#lib/contracts/campaigns/campaign-edits'
import { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import { CreateTemplate, DeleteTemplate, UpdateTemplate } from '#lib/contracts/messages/templates'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as adopted from '#lib/services/changes/template-adoption'
import * as service from '#lib/services/messages/templates'
import { previewText } from '#lib/services/messages/text-previews'
import { formResult, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

/** The controls are called "subject" and "body"; in the contract they stand in `content`. */
const nameOf = (control: string) => control.replace(/^content\./, '')

function fieldsOf(data: FormData) {
  const body = data.get('body')
  return {
    name: textOf(data, 'name'),
    content: { subject: textOf(data, 'subject'), body: typeof body === 'string' ? body : '' },
  }
}

export async function createTemplate(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const made = await service.createTemplate(user.user_id, CreateTemplate.body.parse(fieldsOf(data)))
    await noted(user, CreateTemplate, { template_id: made.template_id })
    revalidatePath('/templates')
    redirect('/templates')
  }, nameOf)
}

export async function updateTemplate(
  templateId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { template_id } = UpdateTemplate.params.parse({ template_id: templateId })
    const body = UpdateTemplate.body.parse({ ...fieldsOf(data), version: versionOf(data) })
    const { older_in } = await service.updateTemplate(user.user_id, template_id, body)
    await noted(user, UpdateTemplate, { template_id })
    revalidatePath('/templates', 'layout')
    if (older_in.length === 0) return 'The template is saved.'
    return `The template is saved. ${older_in.length === 1 ? 'A launched campaign goes' : `${older_in.length} launched campaigns go`} on with the older text.`
  }, nameOf)
}

/** What taking this template's present text over would change in a campaign, or why it cannot. */
export async function previewAdoption(templateId: string, campaignId: string) {
  const user = await requireUser()
  const { campaign_id } = AdoptTemplates.params.parse({ campaign_id: campaignId })
  const { template_ids } = AdoptTemplates.body.parse({ template_ids: [templateId] })
  try {
    const preview = await adopted.previewAdoption(user.user_id, campaign_id, template_ids, new Date())
    return { preview: EditPreview.parse(preview) }
  } catch (error) {
    if (error instanceof AppError) return { refused: error.message }
    throw error
  }
}

export async function adoptTemplate(templateId: string, campaignId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { campaign_id } = AdoptTemplates.params.parse({ campaign_id: campaignId })
    const { template_ids } = AdoptTemplates.body.parse({ template_ids: [templateId] })
    await adopted.adoptTemplates(user.user_id, campaign_id, template_ids, new Date())
    await noted(user, AdoptTemplates, { campaign_id })
    revalidatePath('/templates', 'layout')
    return 'The campaign goes on with the new text.'
  })
}

export async function deleteTemplate(templateId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { template_id } = DeleteTemplate.params.parse({ template_id: templateId })
    await service.deleteTemplate(user.user_id, template_id)
    await noted(user, DeleteTemplate, { template_id })
    revalidatePath('/templates')
    return 'The template is deleted.'
  })
}

/** The text as it would reach the lead at this place of the newest dataset. */
export async function renderTemplate(message: Message, leadIndex: number): Promise<Rendered> {
  const user = await requireUser()
  return previewText(user.user_id, { message, lead_index: leadIndex })
}
