'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/action-form'
import {
  CreateCampaign,
  DeleteCampaign,
  DuplicateCampaign,
  PauseCampaign,
  ReadCampaign,
  ResumeCampaign,
} from '#lib/contracts/campaigns'
import { requireUser } from '#lib/http/session'
import * as copies from '#lib/services/campaign-copies'
import * as life from '#lib/services/campaign-life'
import * as service from '#lib/services/campaigns'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

const idOf = (campaignId: string) => ReadCampaign.params.parse({ campaign_id: campaignId }).campaign_id

export async function createCampaign(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const body = CreateCampaign.body.parse({
      name: textOf(data, 'name'),
      dataset_id: textOf(data, 'dataset_id'),
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
    return 'The campaign goes on.'
  })
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
    await service.deleteCampaign(user.user_id, idOf(campaignId))
    await noted(user, DeleteCampaign, { campaign_id: campaignId })
    revalidatePath('/campaigns')
    redirect('/campaigns')
  })
}
