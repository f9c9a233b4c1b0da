'use server'

import { revalidatePath } from 'next/cache'
import type { SecretResult } from '#components/telling/create-webhook'
import * as operations from '#lib/operations/leads/forms'
import { action, formAction, perform } from '../../../../action.ts'
import { formNumber, formResult, formText, formVersion } from '../../../../form-result.ts'

const anew = '/datasets'

/** Fields shared by new and existing forms. */
const readFields = (data: FormData) => ({
  name: formText(data, 'name'),
  consent_text: formText(data, 'consent_text'),
  mail_subject: formText(data, 'mail_subject'),
  mail_text: formText(data, 'mail_text'),
  mailbox_id: formText(data, 'mailbox_id') || null,
  campaign_id: formText(data, 'campaign_id') || null,
  allowed_origins: formText(data, 'allowed_origins').split(/\s+/).filter(Boolean),
  redirect_url: formText(data, 'redirect_url') || null,
  keep_days: formNumber(data, 'keep_days'),
  mails_per_day: formNumber(data, 'mails_per_day'),
})

/** A problem of one list entry belongs to the control of the whole list. */
const control = (path: string) => path.split('.')[0] ?? path

const readColumns = (data: FormData) =>
  ['email', ...data.getAll('columns').map(String)].map((column) => ({
    name: column,
    column,
    required: column === 'email',
  }))

/** Returns the secret of a signed form, which the page gets only through this answer. */
export async function createForm(dataset_id: string, data: FormData): Promise<SecretResult> {
  let secret: string | null = null
  const result = await formResult(async () => {
    const body = { ...readFields(data), fields: readColumns(data), signed: data.has('signed') }
    secret = (await perform(operations.createForm, { params: { dataset_id }, body })).secret
    revalidatePath(anew, 'layout')
    return 'Form created.'
  }, control)
  return secret === null ? result : { ...result, secret }
}

const thisForm = (dataset_id: string, form_id: string) => ({ params: { dataset_id, form_id } })

export const updateForm = formAction(
  operations.updateForm,
  (data, dataset_id: string, form_id: string) => ({
    ...thisForm(dataset_id, form_id),
    body: { ...readFields(data), version: formVersion(data) },
  }),
  { anew, control, said: 'Form saved.' },
)

export const deleteForm = action(operations.deleteForm, thisForm, { anew, said: 'Form deleted.' })
