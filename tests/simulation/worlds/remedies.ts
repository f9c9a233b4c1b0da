import { pool } from '#lib/db/client'
import { updateCampaign } from '#lib/services/changes/update'
import { activateCampaign, enrolLeads, failLaunch, launchStillPossible } from '#lib/services/launch/enrolment'
import { launchCampaign, resumeCampaign } from '#lib/services/launch/lifecycle'
import { updateMailbox } from '#lib/services/senders/mailboxes'
import { regainAccount } from '#lib/services/social/account-return'
import { isSignedOut, signIn } from '#tests/simulation/grants/sign-ins'
import { accountRecovery, recovery } from '#tests/simulation/worlds/outages'
import type { Outside, OutsideEvent } from '#tests/simulation/worlds/outside-event'
import { takeBack } from '#tests/simulation/worlds/owner-stops'
import { connection, reconnection, replacement } from '#tests/simulation/worlds/social-accounts'

/**
 * What somebody does sooner or later about a state that does not resolve itself; keyed, so that it is planned once.
 * `hurt`: a disturbed world may also choose the worse way.
 */
export function remedies(outside: Outside, hurt: boolean): Map<string, () => OutsideEvent> {
  const { ledger, scene, rng } = outside
  const plans = new Map<string, () => OutsideEvent>()
  const owner = (label: string, work: OutsideEvent['work'], workspaceId?: string) => (): OutsideEvent => ({
    actor: 'owner',
    ...(workspaceId && { workspace_id: workspaceId }),
    label,
    work,
  })
  for (const [place, { campaign_id, workspace_id }] of scene.campaigns.entries()) {
    if (ledger.erased.has(workspace_id)) continue
    const campaign = ledger.campaigns.get(campaign_id)
    if (!campaign || campaign.status === 'draft' || campaign.status === 'failed')
      plans.set(
        `launch ${place}`,
        owner(
          `launch ${place}`,
          async (now) => {
            // The campaign may name a deleted account: the launch would be refused, so the owner corrects it.
            if (ledger.accounts.get(campaign?.connected_account_id ?? '')?.status === 'deleted')
              await updateCampaign(workspace_id, campaign_id, ANY_ACCOUNT, now)
            await launchCampaign(workspace_id, campaign_id, null, now)
          },
          workspace_id,
        ),
      )
    if (campaign?.status === 'launching')
      plans.set(`enrol ${place}`, () =>
        hurt && rng.chance(0.15)
          ? owner(`launch ${place} fails`, () => failLaunch(campaign_id, 'out of luck'), workspace_id)()
          : owner(`enrol ${place}`, (now) => launchSteps(campaign_id, now), workspace_id)(),
      )
    if (campaign?.status === 'paused')
      plans.set(
        `resume ${place}`,
        owner(
          `resume ${place}`,
          async (now) => {
            // The account may have been deleted after the campaign completed, and before its leads were taken back.
            if (ledger.accounts.get(campaign.connected_account_id ?? '')?.status === 'deleted')
              await updateCampaign(workspace_id, campaign_id, ANY_ACCOUNT, now)
            await resumeCampaign(workspace_id, campaign_id, now)
          },
          workspace_id,
        ),
      )
  }
  for (const campaign_id of outside.regrets) {
    const place = scene.campaigns.findIndex((one) => one.campaign_id === campaign_id)
    const { workspace_id = '' } = scene.campaigns[place] ?? {}
    plans.set(`take back ${place}`, () => takeBack(outside, campaign_id, workspace_id, place))
  }
  const isThere = (account_id: string) =>
    ['connected', 'failing', 'disconnected'].includes(ledger.accounts.get(account_id)?.status ?? '')
  if (scene.accounts.length > 0 && !scene.accounts.some(({ account_id }) => isThere(account_id)))
    plans.set('an account', () => connection(outside))
  for (const account of scene.accounts) {
    const { account_id, name } = account
    if (ledger.accounts.get(account_id)?.status !== 'disconnected') continue
    plans.set(name, () => {
      if (outside.given_up.has(account_id)) return replacement(outside, account)
      // By a sign-in, or because the provider reports it.
      if (rng.chance(0.5)) return reconnection(outside, account)
      return owner(`${name} is connected`, (now) => regainAccount(pool(), account_id, now))()
    })
  }
  for (const mailbox of scene.mailboxes) {
    const { mailbox_id, address, workspace_id } = mailbox
    if (outside.down.has(address)) plans.set(address, () => recovery(outside, mailbox))
    else if (ledger.erased.has(workspace_id)) continue
    else if (isSignedOut(outside, mailbox_id))
      plans.set(`${address} signs in`, () => signIn(outside, mailbox))
    // It recovers by itself too; now and then the owner does not wait for that.
    else if (ledger.mailboxes.get(mailbox_id)?.status === 'failing' && rng.chance(0.1))
      plans.set(
        address,
        owner(`${address} gets a new server`, (now) => connect(workspace_id, mailbox_id, now), workspace_id),
      )
  }
  for (const account of scene.accounts)
    if (outside.down.has(account.name))
      plans.set(`${account.name} is up`, () => accountRecovery(outside, account))
  return plans
}

const ANY_ACCOUNT = { connected_account_id: null } as Parameters<typeof updateCampaign>[2]

/** The steps of the launch function; each may run again after a failure. */
async function launchSteps(campaignId: string, now: Date) {
  if (!(await launchStillPossible(campaignId))) return
  await enrolLeads(campaignId, now)
  await activateCampaign(campaignId, now)
}

const SMTP = { host: '127.0.0.1', port: 1, security: 'none' as const, username: null }
const connect = (workspaceId: string, mailboxId: string, now: Date) =>
  updateMailbox(workspaceId, mailboxId, { smtp: SMTP } as Parameters<typeof updateMailbox>[2], now)
