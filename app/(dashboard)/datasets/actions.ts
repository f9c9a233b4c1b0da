'use server'

import { revalidatePath } from 'next/cache'
import type {
  CheckAnswer,
  FetchAnswer,
  PreviewAnswer,
  UploadAnswer,
} from '#components/datasets/import-answers'
import * as operations from '#lib/operations/datasets/datasets'
import * as uploads from '#lib/operations/datasets/uploads'
import { addSamples } from '#lib/operations/sandbox/samples'
import { action, answered, formAction, perform } from '../../action.ts'
import { formJson, formText, formVersion } from '../../form-result.ts'

const anew = '/datasets'
/** The parameters of an import; the column mapping comes as one form field. */
const ofUpload = (data: FormData) => ({
  params: { upload_id: formText(data, 'upload_id') },
  body: {
    dataset_name: formText(data, 'dataset_name'),
    // Read directly, since the name of a sheet may end with spaces.
    sheet: data.get('sheet'),
    mapping: formJson(data, 'mapping'),
  },
})
const thisDataset = (dataset_id: string) => ({ params: { dataset_id } })

/** Stores the file behind a link as an upload. */
export async function fetchLink(url: string): Promise<FetchAnswer> {
  const made = await answered(() => perform(uploads.createUploadFromUrl, { body: { url } }))
  return made.ok ? { ok: true, upload: made.answer } : made
}

/** The address to which the file is uploaded. */
export async function startUpload(file: { filename: string; size_bytes: number }): Promise<UploadAnswer> {
  const made = await answered(() => perform(uploads.createUpload, { body: file }))
  return made.ok ? { ok: true, upload: made.answer } : made
}

async function previewed(upload_id: string, rows: 'all' | 'first'): Promise<PreviewAnswer> {
  const read = await answered(() =>
    perform(uploads.previewUpload, { params: { upload_id }, query: { rows } }),
  )
  return read.ok ? { ok: true, preview: read.answer } : read
}

/** A preview of the file's first rows; stores nothing. */
export const previewFile = async (upload_id: string) => previewed(upload_id, 'first')

/** The same after reading all rows, with exact counts. */
export const countFile = async (upload_id: string) => previewed(upload_id, 'all')

/** What an import would keep and refuse, and why; stores nothing. */
export async function checkFile(data: FormData): Promise<CheckAnswer> {
  const read = await answered(() => perform(uploads.checkUpload, ofUpload(data)))
  return read.ok ? { ok: true, check: read.answer } : read
}

/** Redirects to the dataset's page, which shows the progress. */
export const importFile = formAction(uploads.importUpload, ofUpload, {
  anew,
  to: ({ dataset_id }) => `/datasets/${dataset_id}`,
})

export const importSample = action(addSamples, () => ({ body: { kind: 'leads' } }), {
  anew: '/',
  to: ({ items }) => `/datasets/${items[0]?.item_id ?? ''}`,
})

export const renameDataset = formAction(
  operations.renameDataset,
  (data, dataset_id: string) => ({
    ...thisDataset(dataset_id),
    body: { dataset_name: formText(data, 'dataset_name'), version: formVersion(data) },
  }),
  { anew, said: 'Dataset renamed.' },
)

export const deleteDataset = action(operations.deleteDataset, thisDataset, {
  anew,
  said: 'Dataset deleted.',
})

/** Deletes datasets of one list page. Those used by a campaign are kept, with the reason. */
export async function deleteDatasets(datasetIds: string[]) {
  const deleted: string[] = []
  const refused: { dataset_id: string; reason: string }[] = []
  for (const dataset_id of new Set(datasetIds.slice(0, 100))) {
    const done = await answered(() => perform(operations.deleteDataset, thisDataset(dataset_id)))
    if (done.ok) deleted.push(dataset_id)
    else refused.push({ dataset_id, reason: done.message })
  }
  revalidatePath('/datasets')
  return { deleted, refused }
}
