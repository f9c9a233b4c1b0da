import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { findMailboxes, listMailboxes } from '#lib/services/senders/mailboxes'

/** The most a campaign may name; a mailbox missing from the form could not be selected. */
const MOST = 1_000

/** The newest mailboxes and those the campaign names; the form would treat others as deleted. */
export async function loadMailboxes(
  { workspace_id, alias_ids }: Pick<Campaign, 'workspace_id' | 'alias_ids'>,
  now: Date,
) {
  const listed = await listMailboxes(workspace_id, { page: 1, page_size: MOST }, now)
  const ids = new Set(listed.items.map(({ mailbox_id }) => mailbox_id))
  const others = alias_ids?.filter((id) => !ids.has(id)) ?? []
  const named = others.length > 0 ? await findMailboxes(workspace_id, others, now) : []
  return ListMailboxes.response.parse({ ...listed, items: [...named, ...listed.items] }).items
}
