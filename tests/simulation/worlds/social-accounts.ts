import { updateCampaign } from '#lib/services/changes/update'
import { pauseCampaign } from '#lib/services/launch/lifecycle'
import { issueLink } from '#lib/services/senders/accounts/account-links'
import { disconnectAccount } from '#lib/services/social/connected-accounts'
import { connectAccount } from '#lib/services/social/connections'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'
import { isRefusal } from '#tests/simulation/worlds/refusal'
import type { Scene } from '#tests/simulation/worlds/scene'

type Account = Scene['accounts'][number]

/** Somebody signs in: to a new account, or again to an existing one. */
async function signIn({ scene, driver }: Outside, name: string, account_id: string | null, now: Date) {
  const link = {
    workspace_id: scene.workspace_id,
    network: 'linkedin' as const,
    return_path: '/accounts',
    account_id,
  }
  const { state } = issueLink(link, now)
  return connectAccount(driver, { provider_account_id: name, state }, now)
}

export const reconnection = (outside: Outside, { account_id, name }: Account): OutsideEvent => ({
  actor: 'owner',
  label: `${name} is signed in to again`,
  work: (now) => signIn(outside, name, account_id, now),
})

/** One more account: steps that are not bound to another one may use it. */
export const connection = (outside: Outside): OutsideEvent => ({
  actor: 'owner',
  label: 'one more account is connected',
  work: (now) => newAccount(outside, now),
})

async function newAccount(outside: Outside, now: Date): Promise<string | null> {
  const name = `account-${outside.scene.accounts.length}`
  const made = await signIn(outside, name, null, now)
  if (made) outside.scene.accounts.push({ account_id: made.account_id, name })
  return made?.account_id ?? null
}

/** Refused while something needs the account; otherwise campaigns and leads that still name it lose it. */
export const deletion = ({ scene, driver }: Outside, { account_id, name }: Account): OutsideEvent => ({
  actor: 'owner',
  label: `${name} is deleted`,
  work: () => disconnectAccount(scene.workspace_id, account_id, driver),
})

/**
 * An account is lost for good: its campaigns move to another one, and it is deleted. A campaign that failed to launch keeps
 * the account that it names, so the owner signs in to it again instead.
 */
export const replacement = (outside: Outside, lost: Account): OutsideEvent => ({
  actor: 'owner',
  label: `${lost.name} is replaced`,
  work: async (now) => {
    const { ledger, scene, driver } = outside
    const holds = [...ledger.campaigns.values()].some(
      ({ status, connected_account_id }) => status === 'failed' && connected_account_id === lost.account_id,
    )
    if (holds) return signIn(outside, lost.name, lost.account_id, now)
    const others = scene.accounts.filter(({ account_id }) =>
      ['connected', 'failing'].includes(ledger.accounts.get(account_id)?.status ?? ''),
    )
    const other = others[0]?.account_id ?? (await newAccount(outside, now))
    for (const { campaign_id } of scene.campaigns) {
      const campaign = ledger.campaigns.get(campaign_id)
      const needs =
        campaign?.connected_account_id === lost.account_id ||
        [...ledger.leads.values()].some(
          (lead) => lead.campaign_id === campaign_id && lead.connected_account_id === lost.account_id,
        )
      if (!campaign || !needs || campaign.status === 'completed') continue
      if (campaign.status === 'active' || campaign.status === 'draining')
        await pauseCampaign(scene.workspace_id, campaign_id, now).catch(unlessRefused)
      const fields = { connected_account_id: other } as Parameters<typeof updateCampaign>[2]
      await updateCampaign(scene.workspace_id, campaign_id, fields, now).catch(unlessRefused)
    }
    await disconnectAccount(scene.workspace_id, lost.account_id, driver)
  },
})

/** A campaign may have changed state meanwhile; the replacement is planned again for as long as the account exists. */
function unlessRefused(error: unknown): void {
  if (!isRefusal(error)) throw error
}
