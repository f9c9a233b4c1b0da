'use server'

import { revalidatePath } from 'next/cache'
import type { NewLinkAnswer } from '#components/campaigns/reports/create-report-link'
import * as operations from '#lib/operations/campaigns/report-links'
import { action, answered, perform } from '../../../action.ts'
import { formNumber, formText } from '../../../form-result.ts'

export async function createLink(data: FormData): Promise<NewLinkAnswer> {
  const campaign_ids = data.getAll('campaign_ids')
  if (campaign_ids.length === 0) return { ok: false, message: 'Choose at least one campaign.' }
  const body = {
    name: formText(data, 'name'),
    campaign_ids,
    show_names: data.has('show_names'),
    expires_in_days: formNumber(data, 'expires_in_days'),
  }
  const made = await answered(() => perform(operations.createReportLink, { body }))
  if (!made.ok) return made
  revalidatePath('/', 'layout')
  return { ok: true, url: made.answer.url }
}

export const revokeLink = action(
  operations.revokeReportLink,
  (report_link_id: string) => ({ params: { report_link_id } }),
  { anew: '/', said: 'Link revoked.' },
)
