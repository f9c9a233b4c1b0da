'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { readMailboxLines } from '#components/senders/connect/mailbox-lines'
import type { RowsAnswer } from '#components/senders/connect/organization-mailboxes'
import type { FormResult } from '#components/ui/controls/action-form'
import type { MailOrganization } from '#lib/contracts/senders/mail-organizations'
import * as operations from '#lib/operations/senders/mail-organizations'
import { action, answered, perform } from '../../../action.ts'
import { formResult, formText, formVersion } from '../../../form-result.ts'

const MOST_BYTES = 20_000

/** The uploaded key file, or its pasted text. */
async function keyText(data: FormData): Promise<string> {
  const file = data.get('file')
  const isFile = file instanceof File && file.size > 0 && file.size <= MOST_BYTES
  return isFile ? file.text() : formText(data, 'service_account_key')
}

async function readKey(vendor: MailOrganization['vendor'], data: FormData) {
  if (vendor === 'google') return { service_account_key: await keyText(data) }
  if (vendor === 'sandbox') return {}
  return {
    tenant_id: formText(data, 'tenant_id').toLowerCase(),
    client_id: formText(data, 'client_id').toLowerCase(),
    client_secret: formText(data, 'client_secret'),
  }
}

export async function connectOrganization(
  vendor: MailOrganization['vendor'],
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return formResult(async () => {
    const body = { vendor, name: formText(data, 'name'), ...(await readKey(vendor, data)) }
    const { organization_id } = await perform(operations.createMailOrganization, { body })
    revalidatePath('/mailboxes', 'layout')
    redirect(`/mailboxes/organizations/${organization_id}`)
  })
}

/** Empty fields of a key stay unchanged. */
export async function updateOrganization(
  vendor: MailOrganization['vendor'],
  organization_id: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return formResult(async () => {
    const key = Object.entries(await readKey(vendor, data)).filter(([, value]) => value !== '')
    const body = { name: formText(data, 'name'), version: formVersion(data), ...Object.fromEntries(key) }
    await perform(operations.updateMailOrganization, { params: { organization_id }, body })
    revalidatePath('/mailboxes', 'layout')
    return 'Organization saved.'
  })
}

export const deleteOrganization = action(
  operations.deleteMailOrganization,
  (organization_id: string) => ({ params: { organization_id } }),
  { anew: '/mailboxes', to: '/mailboxes/organizations' },
)

export async function connectMailboxes(
  organization_id: string,
  _: RowsAnswer,
  data: FormData,
): Promise<RowsAnswer> {
  const mailboxes = readMailboxLines(formText(data, 'mailboxes'))
  if (mailboxes.length === 0) return { problem: 'Enter at least one address.' }
  const given = { params: { organization_id }, body: { mailboxes } }
  const tried = await answered(() => perform(operations.connectOrganizationMailboxes, given))
  if (!tried.ok) return { problem: tried.message }
  revalidatePath('/mailboxes', 'layout')
  return { answer: tried.answer }
}
