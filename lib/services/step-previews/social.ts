import { z } from 'zod'
import { db, pool } from '#lib/db/client'
import { socialObstacle, textRoom, whatItDoes } from '#lib/domain/campaigns/social-step'
import { conditionHolds, NO_FACTS, type StepCondition } from '#lib/domain/campaigns/step-conditions'
import { profileFields } from '#lib/domain/social/social-profile'
import { AppError } from '#lib/errors'
import type { getCampaign } from '#lib/services/campaigns/campaigns'
import { workspaceOwner } from '#lib/services/instance/workspace-owner'
import { campaignNetwork } from '#lib/services/leads/channels'
import { factsOfLeads } from '#lib/services/leads/facts'
import { accountLimits } from '#lib/services/senders/accounts/account-limits'
import { type AccountRow, connectedAccounts } from '#lib/services/senders/accounts/account-rows'
import { loadTexts } from '#lib/services/sending/compose'
import type { WaitingLead } from '#lib/services/sending/load'
import { knownPerson } from '#lib/services/sending/people'
import { composeSocial } from '#lib/services/sending/social/compose-social'
import { knownActions, loadLead, placeholder, type Which } from '#lib/services/step-previews/lead'

const Relation = z.enum(['none', 'invited', 'connected']).nullable()

type Campaign = Awaited<ReturnType<typeof getCampaign>>

/** What a social step would do for a lead now, as far as is known without asking the network. */
export async function composeStepSocial(campaign: Campaign, which: Which, now: Date) {
  const network = await campaignNetwork(campaign)
  const lead = withProfile(await loadLead(campaign, which.lead_index), network)
  const connected = await chooseAccount(campaign, lead)
  const account = connected ?? (await noAccount(campaign.workspace_id, network))
  const [texts, known, person] = await Promise.all([
    loadTexts(pool(), campaign, [lead]),
    knownActions(lead.campaign_lead_id),
    connected ? knownPerson(pool(), connected, lead) : null,
  ])
  const made = composeSocial(
    campaign,
    {
      lead_index: lead.lead_index,
      step: which.step,
      sender_id: account.account_id,
      at: now.getTime(),
      next: null,
      lead,
      account,
      action_id: placeholder(which.step),
      variant_label: which.variant ?? known.get(which.step)?.variant_label ?? null,
    },
    texts,
  )
  const { config, subject, text, problem } = made
  if (problem && text === null) throw new AppError('message_impossible', { message: problem })
  const { action_type, condition } = config
  const most = textRoom(action_type, account)
  const standing = person && socialObstacle({ action_type, condition: 'always' }, person, account.provider)
  return {
    channel: 'social' as const,
    action_type,
    does: whatItDoes(action_type, text),
    subject,
    text,
    characters: most === null ? null : { used: text?.length ?? 0, most },
    to: lead.social_profile ?? '',
    relation: Relation.parse(person?.relation ?? null),
    account: connected && {
      account_id: connected.account_id,
      provider: connected.provider,
      name: connected.name,
      kind: connected.kind,
    },
    cap: connected && (await loadCap(connected, action_type, now)),
    condition: { name: condition, holds: await holdsNow(campaign, lead, condition, person?.relation) },
    problem: problem ?? lead.social_problem ?? standing,
    variant: made.variant?.label ?? null,
  }
}

/** A lead of a draft gets its profile from the columns that enrolment would read. */
function withProfile(lead: WaitingLead, network: string): WaitingLead {
  const cells = profileFields(network).map((field) => String(lead.data[field] ?? '').trim())
  const social_profile = lead.social_profile ?? cells.find(Boolean) ?? null
  if (!social_profile) throw new AppError('message_impossible', { message: 'The row has no profile.' })
  return { ...lead, social_profile }
}

/** The account that the lead is assigned, else the campaign's first; null if none is connected. */
async function chooseAccount(campaign: Campaign, lead: WaitingLead): Promise<AccountRow | null> {
  const accounts = await connectedAccounts(pool(), campaign)
  return accounts.find(({ account_id }) => account_id === lead.connected_account_id) ?? accounts[0] ?? null
}

/** A stand-in until an account is connected: the owner's name, on the account type with the tightest limits. */
async function noAccount(workspaceId: string, network: string): Promise<AccountRow> {
  const owner = await workspaceOwner(workspaceId)
  return {
    account_id: placeholder(0),
    workspace_id: workspaceId,
    provider: network,
    driver: '',
    provider_account_id: '',
    name: owner.name ?? owner.email,
    kind: 'free',
    limits: null,
    min_interval_seconds: 0,
    ramp_up: null,
    ramp_up_started_at: new Date(0),
    last_action_at: null,
    rest_until: null,
  }
}

/** The remaining actions of this type for the account, by the meter that dispatch uses. */
async function loadCap({ account_id, workspace_id }: AccountRow, actionType: string, now: Date) {
  const row = await db.connectedAccount.findFirstOrThrow({ where: { account_id, workspace_id } })
  const { caps, timezone } = (await accountLimits(workspace_id, [row], now))(row)
  const cap = caps.find(({ action_type }) => action_type === actionType)
  if (!cap) return null
  const { day, week, used_today, used_this_week, left_today } = cap
  return { day, week, used_today, used_this_week, left_today, timezone }
}

/** Whether the step's condition holds now; null if that is only known when the step is due. */
async function holdsNow(
  campaign: Campaign,
  lead: WaitingLead,
  condition: StepCondition,
  relation: string | undefined,
): Promise<boolean | null> {
  if (condition === 'always') return true
  const asksRelation = condition === 'connected' || condition === 'not_connected'
  if (asksRelation ? relation === undefined : lead.is_new) return null
  const facts = asksRelation ? null : await factsOfLeads(pool(), campaign, [lead.campaign_lead_id])
  return conditionHolds(condition, {
    ...(facts?.get(lead.lead_index) ?? NO_FACTS),
    connected: relation === 'connected',
  })
}
