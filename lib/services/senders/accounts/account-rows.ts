import type { Pool, PoolClient } from 'pg'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import { prepared } from '#lib/db/prepared'
import { DEFAULT_NETWORK } from '#lib/domain/social/social-profile'
import { socialSender } from '#lib/services/senders/accounts/account-limits'
import { type Failing, senderFailure } from '#lib/services/senders/sender-failures'

/** The fields of an account that its actions depend on. */
export type AccountRow = Failing & {
  account_id: string
  workspace_id: string
  provider: string
  driver: string
  provider_account_id: string
  name: string
  kind: string
  limits: unknown
  min_interval_seconds: number
  ramp_up: { start: number; increase_per_day: number } | null
  ramp_up_started_at: Date
  last_action_at: Date | null
  rest_until: Date | null
  status_reason?: string | null
}

export type DaysOfSenders = { sender_id: string; date: string; action_type: string; used: number }[]

/** The fields of a campaign that determine its accounts. */
export type ActsFrom = {
  workspace_id: string
  steps_config: StepConfig[]
  connected_account_id: string | null
}

const ACCOUNTS = `SELECT a.account_id, a.workspace_id, a.provider, a.driver, a.provider_account_id, a.name, a.kind, a.limits,
    a.min_interval_seconds, a.ramp_up, a.ramp_up_started_at, a.last_action_at, a.rest_until,
    a.status, a.status_reason, a.failing_cause, a.failing_tries, a.next_try_at
  FROM connected_accounts a
  WHERE a.workspace_id = $1 AND a.status <> 'disconnected'
    AND CASE WHEN $2::uuid IS NULL THEN a.provider = $3 ELSE a.account_id = $2 END
  ORDER BY a.account_id`

export const isSocial = ({ steps_config }: Pick<ActsFrom, 'steps_config'>): boolean =>
  steps_config.some((step) => step.channel === 'social')

const toParameters = ({ workspace_id, connected_account_id }: ActsFrom) => [
  workspace_id,
  connected_account_id,
  DEFAULT_NETWORK,
]

/**
 * Locks the accounts of a campaign's social steps in one order: the account that the campaign names, or else all connected LinkedIn
 * accounts of its owner. Locks nothing for campaigns without social steps.
 */
export async function lockAccounts(client: PoolClient, campaign: ActsFrom): Promise<AccountRow[]> {
  if (!isSocial(campaign)) return []
  const { rows } = await client.query<AccountRow>(
    prepared(`${ACCOUNTS} FOR NO KEY UPDATE OF a`, toParameters(campaign)),
  )
  return rows
}

/** The same accounts without locks, for reading. */
export async function connectedAccounts(
  reader: Pool | PoolClient,
  campaign: ActsFrom,
): Promise<AccountRow[]> {
  if (!isSocial(campaign)) return []
  const { rows } = await reader.query<AccountRow>(ACCOUNTS, toParameters(campaign))
  return rows
}

/** `days` are this account's own. */
export function senderOfAccount(row: AccountRow, days: DaysOfSenders) {
  return {
    ...socialSender(
      row,
      days.map(({ date, action_type, used }) => ({ local_date: new Date(date), action_type, used })),
    ),
    not_before: row.rest_until?.getTime() ?? null,
    failing: senderFailure(row, row.name, row.status_reason),
  }
}
