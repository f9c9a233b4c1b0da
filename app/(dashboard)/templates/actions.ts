'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { Message } from '#components/templates/message-fields'
import type { Rendered } from '#components/templates/message-preview'
import type { FormResult } from '#components/ui/action-form'
import { CreateTemplate, DeleteTemplate, UpdateTemplate } from '#lib/contracts/templates'
import { requireUser } from '#lib/http/session'
import { previewText } from '#lib/services/previews'
import * as service from '#lib/services/templates'
import { formResult, textOf } from '../../form-result.ts'
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
    await service.updateTemplate(user.user_id, template_id, UpdateTemplate.body.parse(fieldsOf(data)))
    await noted(user, UpdateTemplate, { template_id })
    revalidatePath('/templates', 'layout')
    return 'The template is saved.'
  }, nameOf)
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
