'use server'

import type { OpenRecord } from '#components/shell/menu/open-record'
import { DuplicateCampaign } from '#lib/contracts/campaigns/campaigns'
import { PauseCampaign, ResumeCampaign } from '#lib/contracts/campaigns/lifecycle'
import type { Contract } from '#lib/contracts/contract'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { campaignRefusal } from '#lib/contracts/workspaces/roles'
import { requireUser } from '#lib/http/session'
import { readCampaign } from '#lib/operations/campaigns/campaigns'
import { readDataset } from '#lib/operations/datasets/datasets'
import { perform } from '../action.ts'
import { orNull } from '../form-result.ts'

/**
 * The record at this path for the command menu: the campaign or dataset whose page is open, if it is the
 * user's own.
 */
export async function findOpenRecord(path: string): Promise<OpenRecord | null> {
  return orNull(thingAt(String(path)))
}

async function thingAt(path: string): Promise<OpenRecord | null> {
  const [, place, id] = path.split('/')
  if (place === 'campaigns' && id) {
    const me = await requireUser(ReadAccount)
    const campaign = await perform(readCampaign, { params: { campaign_id: id } })
    const { campaign_id, name, status } = campaign
    const refusal = (contract: Contract) =>
      campaignRefusal(me.role, contract, campaign.user_id === me.user_id)
    const refusals = {
      pause: refusal(PauseCampaign),
      resume: refusal(ResumeCampaign),
      duplicate: refusal(DuplicateCampaign),
    }
    return { kind: 'campaign', id: campaign_id, name, status, refusals }
  }
  if (place === 'datasets' && id) {
    const { dataset_id, dataset_name } = await perform(readDataset, { params: { dataset_id: id } })
    return { kind: 'dataset', id: dataset_id, name: dataset_name }
  }
  return null
}
