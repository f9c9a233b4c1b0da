import { type Campaign, OwnedCampaign } from '#lib/contracts/campaigns/campaign'
import { ReadCampaign } from '#lib/contracts/campaigns/campaigns'
import { requireUser } from '#lib/http/session'
import { readCampaign } from '#lib/services/campaigns/campaigns'
import { orNotFound, parseParams } from '../../../page-input.ts'

/** Loads the user and the campaign of the URL, as every tab does. */
export async function loadCampaign(params: Promise<unknown>) {
  const user = await requireUser()
  const { campaign_id } = parseParams(ReadCampaign.params, await params)
  const campaign = OwnedCampaign.parse(await orNotFound(readCampaign(user.workspace_id, campaign_id)))
  return { user, campaign }
}

/** Whether leads already wait for its current settings, so that a change is previewed before saving. */
export const isLive = ({ status }: Pick<Campaign, 'status'>) => status === 'scheduled' || status === 'paused'
