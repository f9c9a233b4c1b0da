'use server'

import type { Here } from '#components/shell/here'
import { ReadCampaign } from '#lib/contracts/campaigns/campaigns'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { AppError } from '#lib/errors'
import { requireUser } from '#lib/http/session'
import { getCampaign } from '#lib/services/campaigns/campaigns'
import { getDataset } from '#lib/services/datasets/datasets'

/** What the command menu can act on at this path: the campaign or dataset whose page it is, if it is the person's own. */
export async function commandsHere(path: string): Promise<Here | null> {
  const { user_id } = await requireUser()
  try {
    return await thingAt(user_id, String(path))
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

async function thingAt(userId: string, path: string): Promise<Here | null> {
  const [, place, id] = path.split('/')
  const campaign = ReadCampaign.params.safeParse({ campaign_id: id })
  if (place === 'campaigns' && campaign.success) {
    const { campaign_id, name, status } = await getCampaign(userId, campaign.data.campaign_id)
    return { kind: 'campaign', id: campaign_id, name, status }
  }
  const dataset = ReadDataset.params.safeParse({ dataset_id: id })
  if (place === 'datasets' && dataset.success) {
    const { dataset_id, dataset_name } = await getDataset(userId, dataset.data.dataset_id)
    return { kind: 'dataset', id: dataset_id, name: dataset_name }
  }
  return null
}
