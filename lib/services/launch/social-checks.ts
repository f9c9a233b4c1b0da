import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { pool } from '#lib/db/client'
import { takesText, textObstacle } from '#lib/domain/campaigns/social-step'
import { isAiStep } from '#lib/domain/personalize/review'
import { accountCaps, isSocialAction, type SocialActionType } from '#lib/domain/social/social-limits'
import { profileSql, type Reach } from '#lib/services/leads/enrolment-rule'
import { inlineText } from '#lib/services/messages/step-texts'
import { type AccountRow, connectedAccounts, isSocial } from '#lib/services/senders/accounts/account-rows'

type Checked = Pick<Campaign, 'workspace_id' | 'dataset_id' | 'steps_config' | 'connected_account_id'>
type Advised = Checked & Pick<Campaign, 'campaign_id' | 'daily_limit' | 'timezone'>
type Found = { code: string; message: string; step: number | null }

const VERBS: Record<string, string> = {
  connection_request: 'invitations',
  inmail: 'InMails',
  message: 'messages',
  visit_profile: 'profile visits',
  comment_post: 'comments',
  like_post: 'likes',
  follow: 'follows',
  endorse: 'endorsements',
  withdraw_invitation: 'withdrawals',
}

/** What blocks a campaign's social steps: no account, an account that is not allowed the action, or a text that is too long. */
export async function socialProblems(campaign: Checked): Promise<Found[]> {
  if (!isSocial(campaign)) return []
  const accounts = await connectedAccounts(pool(), campaign)
  const steps = campaign.steps_config.filter((step) => step.channel === 'social')
  return steps.flatMap((config): Found[] => {
    const { step, action_type: type } = config
    if (!isSocialAction(type)) return []
    if (isAiStep(config) && !takesText(type))
      return [{ code: 'ai_on_silent', message: `Step ${step} has no text for AI to write.`, step }]
    if (accounts.length === 0) {
      const message = `Step ${step} needs a connected social account.`
      return [{ code: 'no_account', message, step }]
    }
    const able = accounts.filter((account) => mayAct(account, type))
    if (able.length === 0) {
      const message = `Step ${step} never runs because the accounts are not allowed any ${VERBS[type] ?? type}.`
      return [{ code: 'account_cap_zero', message, step }]
    }
    return plainTexts(config).flatMap(({ label, subject, body: text }): Found[] => {
      const tooLong = able.map((account) => textObstacle(type, { subject, text }, account))
      if (tooLong.includes(null)) return []
      const where = label ? `Step ${step}, variant ${label}` : `Step ${step}`
      return [{ code: 'text_too_long', message: `${where}: ${tooLong[0]}`, step }]
    })
  })
}

/** Texts written in the step itself that are the same for every lead, that is, without merge fields. */
function plainTexts(step: StepConfig) {
  if (isAiStep(step)) return []
  const written = step.variants.filter(({ weight }) => weight > 0)
  return (written.length > 0 ? written : [null]).flatMap((variant) => {
    const text = variant?.template_id ? null : inlineText(step, variant)
    return text && !text.body.includes('{') ? [{ ...text, label: variant?.label }] : []
  })
}

function mayAct(account: AccountRow, type: SocialActionType): boolean {
  const { day, week } = accountCaps(account)[type]
  return day !== 0 && week !== 0
}

/** Warns of leads that one channel does not reach, and of caps that hold the campaign back. */
export async function socialWarnings(
  campaign: Advised,
  accounts: AccountRow[],
  reach: Reach,
): Promise<Found[]> {
  if (reach.network === null || accounts.length === 0) return []
  return [...(await unreachedWarnings(campaign, reach, reach.network)), ...capWarnings(campaign, accounts)]
}

async function unreachedWarnings(
  { dataset_id }: Checked,
  { mail }: Reach,
  network: string,
): Promise<Found[]> {
  if (!mail) return []
  const { rows } = await pool().query<{ no_profile: number; no_mail: number }>(
    `SELECT count(*) FILTER (WHERE ${profileSql(network)} IS NULL AND r.email IS NOT NULL)::int AS no_profile,
       count(*) FILTER (WHERE r.email IS NULL AND ${profileSql(network)} IS NOT NULL)::int AS no_mail
     FROM dataset_rows r WHERE r.dataset_id = $1`,
    [dataset_id],
  )
  const { no_profile = 0, no_mail = 0 } = rows[0] ?? {}
  const missingCheck = (code: string, count: number, what: string, skipped: string): Found[] =>
    count === 0
      ? []
      : [
          {
            code,
            message: `${count === 1 ? '1 lead has' : `${count} leads have`} no ${what}: the ${skipped} steps are skipped for ${count === 1 ? 'it' : 'them'}.`,
            step: null,
          },
        ]
  return [
    ...missingCheck('leads_without_profile', no_profile, 'profile', 'social'),
    ...missingCheck('leads_without_address', no_mail, 'address', 'email'),
  ]
}

/**
 * Warns of actions whose caps, over all accounts together, are below the campaign's daily limit. A weekly cap counts as a seventh per day.
 */
function capWarnings({ steps_config, daily_limit }: Advised, accounts: AccountRow[]) {
  const types = new Set(
    steps_config.filter(({ channel }) => channel === 'social').map(({ action_type }) => action_type),
  )
  return [...types].filter(isSocialAction).flatMap((type): Found[] => {
    const perDay = accounts.reduce((sum, account) => {
      const { day, week } = accountCaps(account)[type]
      return sum + Math.min(day ?? Number.POSITIVE_INFINITY, (week ?? Number.POSITIVE_INFINITY) / 7)
    }, 0)
    if (perDay === 0 || perDay >= daily_limit) return []
    const many = Math.round(perDay * 10) / 10
    const message = `Together the accounts can send about ${many} ${VERBS[type] ?? type} a day, fewer than the daily limit of ${daily_limit}.`
    return [{ code: 'caps_below_daily_limit', message, step: null }]
  })
}
