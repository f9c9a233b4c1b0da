import type { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListMailboxes } from '#lib/contracts/senders/mailboxes'
import { listMailboxes } from '#lib/services/senders/mailboxes'

/** As many as a campaign may name: what its forms do not list could not be chosen. */
const MOST = 1_000

export async function loadMailboxes({ workspace_id }: Campaign, now: Date) {
  const listed = await listMailboxes(workspace_id, { page: 1, page_size: MOST }, now)
  return ListMailboxes.response.parse(listed).items
}
