'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/action-form'
import { AddSuppressions, DeleteSuppression, ImportSuppressions } from '#lib/contracts/suppressions'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/suppressions'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

type Done = { added: number; already_listed: number; leads_ended: number }

function said({ added, already_listed, leads_ended }: Done, refused = 0): string {
  const parts = [
    `${added.toLocaleString('en')} added`,
    already_listed > 0 && `${already_listed.toLocaleString('en')} stood there already`,
    refused > 0 && `${refused.toLocaleString('en')} rows hold no address`,
    leads_ended > 0 && `${leads_ended.toLocaleString('en')} waiting leads ended`,
  ]
  return `${parts.filter((part) => part !== false).join(', ')}.`
}

/** Every line stands in one control. */
const nameOf = (control: string) => control.replace(/^values\.\d+$/, 'values')

/** One per line, or parted by commas or semicolons. */
export async function addSuppressions(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const values = textOf(data, 'values')
      .split(/[\n,;]+/)
      .map((value) => value.trim())
      .filter((value) => value !== '')
    const body = AddSuppressions.body.parse({ values, reason: textOf(data, 'reason') || undefined })
    const done = await service.addSuppressions(user.user_id, body, new Date())
    await noted(user, AddSuppressions)
    revalidatePath('/suppressions')
    return said(done)
  }, nameOf)
}

export async function importSuppressions(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = ImportSuppressions.body.parse({ file: data.get('file'), reason: '' })
    if (body.file.size > ImportSuppressions.max_bytes)
      throw new AppError('body_too_large', { message: 'The file is larger than 10 MB. Split it.' })
    const done = await service.importSuppressions(user.user_id, body, new Date())
    await noted(user, ImportSuppressions)
    revalidatePath('/suppressions')
    return said(done, done.refused_count)
  })
}

export async function deleteSuppression(suppressionId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { suppression_id } = DeleteSuppression.params.parse({ suppression_id: suppressionId })
    await service.deleteSuppression(user.user_id, suppression_id)
    await noted(user, DeleteSuppression, { suppression_id })
    revalidatePath('/suppressions')
    return 'It may be written to again.'
  })
}
