import { db } from '#lib/db/client'
import { DEFAULT_NETWORK } from '#lib/domain/social/social-profile'
import type { Reach } from '#lib/services/leads/enrolment-rule'
import { type ActsFrom, isSocial } from '#lib/services/senders/accounts/account-rows'

/** The channels of a campaign's steps; a campaign without steps counts as an email campaign. */
export async function campaignReach(
  campaign: ActsFrom & Pick<Reach, 'skip_emails'> & { contact_policy_override: string | null },
): Promise<Reach> {
  const mail = campaign.steps_config.some((step) => step.channel === 'email')
  const passes = {
    skip_emails: campaign.skip_emails,
    writes_to_left: campaign.contact_policy_override !== null,
  }
  return isSocial(campaign)
    ? { mail, network: await campaignNetwork(campaign), ...passes }
    : { mail: true, network: null, ...passes }
}

/** The network of a campaign's social steps: that of the account it names. */
export async function campaignNetwork({
  workspace_id,
  connected_account_id,
}: Pick<ActsFrom, 'workspace_id' | 'connected_account_id'>): Promise<string> {
  if (!connected_account_id) return DEFAULT_NETWORK
  const account = await db.connectedAccount.findFirst({
    where: { account_id: connected_account_id, workspace_id },
    select: { provider: true },
  })
  return account?.provider ?? DEFAULT_NETWORK
}
