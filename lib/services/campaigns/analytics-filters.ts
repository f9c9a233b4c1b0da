import type { AnalyticsFilters } from '#lib/contracts/campaigns/workspace-analytics'

/**
 * SQL conditions to append to a WHERE, one per filter given. Their `values` are the parameters after the first `taken`; `sender` is the
 * placeholder of the sender's id.
 */
export type Narrowed = {
  campaigns: (table: string) => string
  actions: string
  sender: string | undefined
  values: string[]
}

export function narrowed(
  { campaign_id, dataset_id, sender_id, user_id }: AnalyticsFilters,
  taken: number,
): Narrowed {
  const values: string[] = []
  const given = (value: string) => `$${taken + values.push(value)}::uuid`
  const own = [
    ...(campaign_id ? [`campaign_id = ${given(campaign_id)}`] : []),
    ...(dataset_id ? [`dataset_id = ${given(dataset_id)}`] : []),
    ...(user_id ? [`user_id = ${given(user_id)}`] : []),
  ].join(' AND ')
  const sender = sender_id && given(sender_id)
  return {
    campaigns: (table) =>
      own &&
      ` AND ${table}.campaign_id IN (SELECT campaign_id FROM campaigns WHERE workspace_id = $1 AND ${own})`,
    actions: sender ? ` AND (a.mailbox_id = ${sender} OR a.connected_account_id = ${sender})` : '',
    sender,
    values,
  }
}
