'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import {
  CancelDatasetSession,
  ProcessDataset,
  UndoDatasetSession,
} from '#lib/contracts/enrichment/dataset-sessions'
import { FindEmails } from '#lib/contracts/enrichment/email-finder'
import { requireUser } from '#lib/http/session'
import * as finder from '#lib/services/enrichment/email-finder-sessions'
import * as service from '#lib/services/enrichment/sessions'
import * as undoing from '#lib/services/enrichment/undo'
import { formResult, numberOf, textOf } from '../../../form-result.ts'
import { noted } from '../../../noted.ts'

const refresh = () => revalidatePath('/datasets', 'layout')
/** Problems of `options.x` belong to the control `x`. */
const control = (path: string) => path.replace(/^options\./, '').split('.')[0] ?? path

async function start(datasetId: string, body: unknown): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { dataset_id } = ProcessDataset.params.parse({ dataset_id: datasetId })
    await service.processDataset(user.user_id, dataset_id, ProcessDataset.body.parse(body))
    await noted(user, ProcessDataset, { dataset_id })
    refresh()
    return 'Started. This page shows the progress.'
  }, control)
}

export async function enrich(datasetId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const options = {
    rules: data.getAll('rules'),
    providers: data.getAll('providers'),
    max_cost: numberOf(data, 'max_cost'),
    overwrite: data.has('overwrite'),
  }
  return start(datasetId, { pipeline_type: 'enrichment', options })
}

export async function extract(datasetId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const column = textOf(data, 'column')
  const options = {
    kinds: data.getAll('kinds'),
    columns: column === '' ? null : [column],
    overwrite: data.has('overwrite'),
  }
  return start(datasetId, { pipeline_type: 'extraction', options })
}

export async function findAddresses(
  datasetId: string,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const min_confidence = numberOf(data, 'min_confidence')
    const body = FindEmails.body.parse({ dataset_id: datasetId, min_confidence })
    await finder.findEmails(user.user_id, body)
    await noted(user, FindEmails, { dataset_id: body.dataset_id })
    refresh()
    return 'Started. This page shows the progress.'
  })
}

export async function cancelSession(datasetId: string, sessionId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const params = CancelDatasetSession.params.parse({ dataset_id: datasetId, session_id: sessionId })
    await service.cancelDatasetSession(user.user_id, params.dataset_id, params.session_id, new Date())
    await noted(user, CancelDatasetSession, params)
    refresh()
    return 'The session is cancelled.'
  })
}

export async function undoSession(datasetId: string, sessionId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const params = UndoDatasetSession.params.parse({ dataset_id: datasetId, session_id: sessionId })
    const { restored, kept } = await undoing.undoDatasetSession(
      user.user_id,
      params.dataset_id,
      params.session_id,
      new Date(),
    )
    await noted(user, UndoDatasetSession, params)
    refresh()
    return `${restored.toLocaleString('en')} cells are restored.${kept > 0 ? ` ${kept.toLocaleString('en')} were kept.` : ''}`
  })
}
