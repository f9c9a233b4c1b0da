'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { CheckAnswer, PreviewAnswer } from '#components/datasets/import-answers'
import type { FormResult } from '#components/ui/controls/action-form'
import { DeleteDataset, RenameDataset } from '#lib/contracts/datasets/datasets'
import { ImportSpreadsheet, PreviewSpreadsheet } from '#lib/contracts/datasets/uploads'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/datasets/datasets'
import { checkImport } from '#lib/services/datasets/import-check'
import * as uploads from '#lib/services/datasets/uploads'
import { addSample } from '#lib/services/sandbox/samples'
import { formResult, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

/** The same limit as the API's; what comes in by an action is not counted by its door. */
function checkSize(file: File) {
  if (file.size > ImportSpreadsheet.max_bytes)
    throw new AppError('body_too_large', {
      message: 'The file is larger than 25 MB. Split it, or save it as csv.',
    })
}

/** What stands in the file; nothing is stored. */
export async function previewFile(data: FormData): Promise<PreviewAnswer> {
  const user = await requireUser()
  let preview: Extract<PreviewAnswer, { ok: true }>['preview'] | null = null
  const result = await formResult(async () => {
    const { file } = PreviewSpreadsheet.body.parse(Object.fromEntries(data))
    checkSize(file)
    preview = PreviewSpreadsheet.response.parse(await uploads.previewSpreadsheet(user.user_id, file))
    return undefined
  })
  if (!result.ok) return { ok: false, message: result.message }
  return preview ? { ok: true, preview } : { ok: false, message: 'The file could not be read.' }
}

/** What an import would keep and refuse, and why; nothing is stored. */
export async function checkFile(data: FormData): Promise<CheckAnswer> {
  const user = await requireUser()
  let check: Extract<CheckAnswer, { ok: true }>['check'] | null = null
  const result = await formResult(async () => {
    const body = ImportSpreadsheet.body.parse(Object.fromEntries(data))
    checkSize(body.file)
    check = await checkImport(user.user_id, body)
    return undefined
  })
  if (!result.ok) return { ok: false, message: result.message }
  return check ? { ok: true, check } : { ok: false, message: 'The file could not be read.' }
}

/** On to the dataset's page, which shows how far the rows are. */
export async function importFile(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = ImportSpreadsheet.body.parse(Object.fromEntries(data))
    checkSize(body.file)
    const { dataset_id } = await uploads.importSpreadsheet(user.user_id, body)
    await noted(user, ImportSpreadsheet, { dataset_id })
    revalidatePath('/datasets')
    redirect(`/datasets/${dataset_id}`)
  })
}

export async function importSample(): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const [made] = await addSample(user, 'leads', new Date())
    const dataset_id = made?.item_id ?? ''
    await noted(user, ImportSpreadsheet, { dataset_id })
    revalidatePath('/', 'layout')
    redirect(`/datasets/${dataset_id}`)
  })
}

export async function renameDataset(
  datasetId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { dataset_id } = RenameDataset.params.parse({ dataset_id: datasetId })
    const body = RenameDataset.body.parse({
      dataset_name: textOf(data, 'dataset_name'),
      version: versionOf(data),
    })
    await service.renameDataset(user.user_id, dataset_id, body)
    await noted(user, RenameDataset, { dataset_id })
    revalidatePath('/datasets', 'layout')
    return 'The dataset is renamed.'
  })
}

export async function deleteDataset(datasetId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { dataset_id } = DeleteDataset.params.parse({ dataset_id: datasetId })
    await service.deleteDataset(user.user_id, dataset_id)
    await noted(user, DeleteDataset, { dataset_id })
    revalidatePath('/datasets')
    return 'The dataset is deleted.'
  })
}

/** What is on one page of the list, and no more. One that a campaign uses stays, with the reason. */
export async function deleteDatasets(datasetIds: string[]) {
  const user = await requireUser()
  const deleted: string[] = []
  const refused: { dataset_id: string; reason: string }[] = []
  for (const given of new Set(datasetIds.slice(0, 100))) {
    const { dataset_id } = DeleteDataset.params.parse({ dataset_id: given })
    try {
      await service.deleteDataset(user.user_id, dataset_id)
      await noted(user, DeleteDataset, { dataset_id })
      deleted.push(dataset_id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push({ dataset_id, reason: error.message })
    }
  }
  revalidatePath('/datasets')
  return { deleted, refused }
}
