'use server'

import { revalidatePath } from 'next/cache'
import type { Entry } from '#components/leads/suppression-selection'
import type { FormResult } from '#components/ui/controls/action-form'
import { AddSuppressions, DeleteSuppression, ImportSuppressions } from '#lib/contracts/leads/suppressions'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/leads/suppressions'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

type Done = { added: number; already_listed: number; leads_ended: number }

function said({ added, already_listed, leads_ended }: Done, refused = 0): string {
  const parts = [
    `${added.toLocaleString('en')} added`,
    already_listed > 0 && `${already_listed.toLocaleString('en')} were already listed`,
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
    return 'It can be contacted again.'
  })
}

/** What is on one page of the list, and no more. */
const MOST = 100

/** Those that were listed, each with its reason, so that they can be put back. */
export async function allowAgain(suppressionIds: string[]): Promise<Entry[]> {
  const user = await requireUser()
  const ids = suppressionIds
    .slice(0, MOST)
    .map((suppression_id) => DeleteSuppression.params.parse({ suppression_id }).suppression_id)
  const rows = await service.deleteSuppressions(user.user_id, ids)
  for (const { suppression_id } of rows) await noted(user, DeleteSuppression, { suppression_id })
  revalidatePath('/suppressions')
  return rows.map(({ value, reason }) => ({ value, reason }))
}

/** The other way round; answers how many are listed again. */
export async function suppressAgain(entries: Entry[]): Promise<number> {
  const user = await requireUser()
  let added = 0
  for (const [reason, own] of Map.groupBy(entries.slice(0, MOST), (entry) => entry.reason)) {
    const body = AddSuppressions.body.parse({ values: own.map(({ value }) => value), reason })
    added += (await service.addSuppressions(user.user_id, body, new Date())).added
    await noted(user, AddSuppressions)
  }
  revalidatePath('/suppressions')
  return added
}
