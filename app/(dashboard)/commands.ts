'use server'

import type { OpenRecord } from '#components/shell/open-record'
import { readCampaign } from '#lib/operations/campaigns/campaigns'
import { readDataset } from '#lib/operations/datasets/datasets'
import { perform } from '../action.ts'
import { orNull } from '../form-result.ts'

/** What the command menu can act on at this path: the campaign or dataset whose page it is, if it is the person's own. */
export async function findOpenRecord(path: string): Promise<OpenRecord | null> {
  return orNull(thingAt(String(path)))
}

async function thingAt(path: string): Promise<OpenRecord | null> {
  const [, place, id] = path.split('/')
  if (place === 'campaigns' && id) {
    const { campaign_id, name, status } = await perform(readCampaign, { params: { campaign_id: id } })
    return { kind: 'campaign', id: campaign_id, name, status }
  }
  if (place === 'datasets' && id) {
    const { dataset_id, dataset_name } = await perform(readDataset, { params: { dataset_id: id } })
    return { kind: 'dataset', id: dataset_id, name: dataset_name }
  }
  return null
}
