'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { PreviewResult } from '#components/personalize/playground'
import type { FormResult } from '#components/ui/controls/action-form'
import { UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import {
  ApproveGeneration,
  EditGeneration,
  RegenerateGeneration,
  RejectGeneration,
} from '#lib/contracts/personalize/generations'
import {
  ApprovePersonalizationRun,
  CancelPersonalizationRun,
  Personalize,
  PreviewPersonalization,
} from '#lib/contracts/personalize/personalize'
import { requireUser } from '#lib/http/session'
import { updateCampaign } from '#lib/services/changes/update'
import * as review from '#lib/services/personalize/review'
import * as rows from '#lib/services/personalize/rows'
import * as runs from '#lib/services/personalize/runs'
import { formResult, numberOf, textOf, versionOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

const fieldsOf = (data: FormData) => ({
  ...Object.fromEntries(
    ['dataset_id', 'campaign_id', 'template_id', 'sender_profile_id', 'prompt'].flatMap((name) => {
      const value = textOf(data, name)
      return value ? [[name, value]] : []
    }),
  ),
  ...(textOf(data, 'step') ? { step: numberOf(data, 'step') } : {}),
})

/** Texts for the first three leads; nothing is stored. */
export async function tryPrompt(_: PreviewResult | null, data: FormData): Promise<PreviewResult> {
  const user = await requireUser()
  let made: Extract<PreviewResult, { ok: true }> | null = null
  const result = await formResult(async () => {
    const body = PreviewPersonalization.body.parse(fieldsOf(data))
    made = { ok: true, ...PreviewPersonalization.response.parse(await runs.previewRun(user.user_id, body)) }
    return undefined
  })
  if (!result.ok) return { ok: false, message: result.message }
  return made ?? { ok: false, message: 'No text was written.' }
}

/** On to the run's page, which shows how far it is. */
export async function writeForAll(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const run = await runs.startRun(user.user_id, Personalize.body.parse(fieldsOf(data)))
    await noted(user, Personalize, { run_id: run.run_id })
    revalidatePath('/personalize')
    redirect(`/personalize/${run.run_id}`)
  })
}

export async function usePromptInCampaign(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { campaign_id } = UpdateCampaign.params.parse({ campaign_id: textOf(data, 'campaign_id') })
    const body = UpdateCampaign.body.parse({ system_prompt: textOf(data, 'prompt') })
    await updateCampaign(user.user_id, campaign_id, body)
    await noted(user, UpdateCampaign, { campaign_id })
    return 'This is now the campaign’s prompt.'
  })
}

export async function cancelRun(run_id: string): Promise<FormResult> {
  return changed(run_id, CancelPersonalizationRun, (userId) => runs.cancelRun(userId, run_id, new Date()))
}

export async function approveRun(run_id: string, includeFlagged: boolean): Promise<FormResult> {
  return changed(run_id, ApprovePersonalizationRun, async (userId) => {
    const run = await review.approveRun(userId, run_id, includeFlagged, new Date())
    return `${run.approved_count.toLocaleString('en')} texts are approved.`
  })
}

type Which = { run_id: string; generation_id: string }

export async function approveText({ run_id, generation_id }: Which): Promise<FormResult> {
  return changed(run_id, ApproveGeneration, (userId) =>
    review.approveGeneration(userId, generation_id, new Date()),
  )
}

export async function rejectText({ run_id, generation_id }: Which): Promise<FormResult> {
  return changed(run_id, RejectGeneration, (userId) => review.rejectGeneration(userId, generation_id))
}

export async function writeAnew({ run_id, generation_id }: Which): Promise<FormResult> {
  return changed(run_id, RegenerateGeneration, (userId) =>
    rows.regenerateGeneration(userId, generation_id, new Date()),
  )
}

export async function editText(
  { run_id, generation_id }: Which,
  _: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return changed(run_id, EditGeneration, async (userId) => {
    const body = EditGeneration.body.parse({
      subject: textOf(data, 'subject'),
      body: textOf(data, 'body'),
      version: versionOf(data),
    })
    await rows.editGeneration(userId, generation_id, body, new Date())
    return 'Saved. Approve it to have it sent.'
  })
}

async function changed(
  run_id: string,
  contract: Parameters<typeof noted>[1],
  work: (userId: string) => Promise<unknown>,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const said = await work(user.user_id)
    await noted(user, contract, { run_id })
    revalidatePath(`/personalize/${run_id}`)
    return typeof said === 'string' ? said : undefined
  })
}
