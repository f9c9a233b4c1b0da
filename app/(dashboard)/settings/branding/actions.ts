'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { requireUser } from '#lib/http/session'
import * as operations from '#lib/operations/workspaces/branding'
import { perform } from '../../../action.ts'
import { formResult, formText, formVersion } from '../../../form-result.ts'

/** Larger files are not read into memory; the operation would refuse them anyway. */
const MAX_FILE_BYTES = 512 * 1024

async function logoIn(data: FormData): Promise<{ logo?: string | null }> {
  const file = data.get('logo_file')
  if (file instanceof File && file.size > 0)
    return { logo: Buffer.from(await file.slice(0, MAX_FILE_BYTES).arrayBuffer()).toString('base64') }
  return data.has('remove_logo') ? { logo: null } : {}
}

export async function saveBranding(_: FormResult | null, data: FormData): Promise<FormResult> {
  return formResult(
    async () => {
      const { workspace_id } = await requireUser()
      const body = {
        name: formText(data, 'name') || null,
        accent: formText(data, 'accent') || null,
        sender_name: formText(data, 'sender_name') || null,
        reply_to: formText(data, 'reply_to') || null,
        sender_mailbox_id: formText(data, 'sender_mailbox_id') || null,
        report_domain: formText(data, 'report_domain') || null,
        ...(await logoIn(data)),
        version: formVersion(data),
      }
      await perform(operations.updateBranding, { params: { workspace_id }, body })
      revalidatePath('/', 'layout')
      return 'Branding saved.'
    },
    (path) => (path === 'logo' ? 'logo_file' : path),
  )
}
