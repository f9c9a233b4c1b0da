'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import { firstStep } from '#components/sequence/steps'
import type { FormResult } from '#components/ui/controls/action-form'
import {
  CreateCampaign,
  DeleteCampaign,
  DuplicateCampaign,
  PauseCampaign,
  ReadCampaign,
  ResumeCampaign,
} from '#lib/contracts/campaigns/campaigns'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import * as service from '#lib/services/campaigns/campaigns'
import * as copies from '#lib/services/campaigns/copies'
import * as campaignDeletion from '#lib/services/changes/deletion'
import * as life from '#lib/services/launch/lifecycle'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

const idOf = (campaignId: string) => ReadCampaign.params.parse({ campaign_id: campaignId }).campaign_id

export async function createCampaign(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = CreateCampaign.body.parse({
      name: textOf(data, 'name'),
      dataset_id: textOf(data, 'dataset_id'),
      type: textOf(data, 'type') || undefined,
      // Whole as it is, without a note: there may be nothing to write in it.
      ...(textOf(data, 'type') === 'social' && { steps_config: [firstStep('social')] }),
      timezone: textOf(data, 'timezone') || undefined,
      description: textOf(data, 'description') || null,
    })
    const { campaign_id } = await service.createCampaign(user.user_id, body)
    await noted(user, CreateCampaign, { campaign_id })
    revalidatePath('/campaigns')
    redirect(`/campaigns/${campaign_id}/sequence`)
  })
}

export async function pauseCampaign(campaignId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await life.pauseCampaign(user.user_id, idOf(campaignId))
    await noted(user, PauseCampaign, { campaign_id: campaignId })
    revalidatePath('/campaigns', 'layout')
    return 'The campaign is paused.'
  })
}

export async function resumeCampaign(campaignId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await life.resumeCampaign(user.user_id, idOf(campaignId), new Date())
    await noted(user, ResumeCampaign, { campaign_id: campaignId })
    revalidatePath('/campaigns', 'layout')
    return 'The campaign is running again.'
  })
}

/**
 * Pauses or resumes several at once. One that refuses stays as it is and is told of; `changed` are the others, so that
 * the act can be undone for just those.
 */
export async function changeCampaigns(
  verb: 'pause' | 'resume',
  campaignIds: string[],
): Promise<{ changed: string[]; refused: string[] }> {
  const user = await requireUser()
  const changed: string[] = []
  const refused: string[] = []
  for (const campaign_id of new Set(campaignIds.slice(0, 100).map(idOf))) {
    try {
      if (verb === 'pause') await life.pauseCampaign(user.user_id, campaign_id)
      else await life.resumeCampaign(user.user_id, campaign_id, new Date())
      await noted(user, verb === 'pause' ? PauseCampaign : ResumeCampaign, { campaign_id })
      changed.push(campaign_id)
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      refused.push(error.message)
    }
  }
  revalidatePath('/campaigns', 'layout')
  return { changed, refused }
}

export async function duplicateCampaign(campaignId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const copy = await copies.duplicateCampaign(user.user_id, idOf(campaignId), {})
    await noted(user, DuplicateCampaign, { campaign_id: copy.campaign_id })
    revalidatePath('/campaigns')
    redirect(`/campaigns/${copy.campaign_id}`)
  })
}

/** Back to the list, since the page of a deleted campaign is nowhere. */
export async function deleteCampaign(campaignId: string): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    await campaignDeletion.deleteCampaign(user.user_id, idOf(campaignId))
    await noted(user, DeleteCampaign, { campaign_id: campaignId })
    revalidatePath('/campaigns')
    redirect('/campaigns')
  })
}
