import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListConnectedAccounts } from '#lib/contracts/senders/connected-accounts'
import { givenAccounts } from '#lib/services/instance/given-senders'
import { listConnectedAccounts } from '#lib/services/social/connected-accounts'

/**
 * The accounts a campaign may use: for a member's campaign, those assigned to them, and the one it already
 * names.
 */
export async function loadAccounts(campaign: Campaign, now: Date) {
  const [listed, given] = await Promise.all([
    listConnectedAccounts(campaign.workspace_id, { page: 1, page_size: 100 }, now),
    givenAccounts(campaign),
  ])
  const { items } = ListConnectedAccounts.response.parse(listed)
  const usable = given && new Set([...given, campaign.connected_account_id])
  return {
    accounts: usable ? items.filter(({ account_id }) => usable.has(account_id)) : items,
    onlyGiven: given !== null,
  }
}
