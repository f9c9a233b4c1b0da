import type { Ledger } from '#tests/simulation/checks/ledger'
import { dateOf } from '#tests/simulation/worlds/calendar'

/** Limits look back so many dates; what was counted before them may stand by the dates of another zone. */
const LOOKED_AT_DAYS = 7
const DAY_MS = 86_400_000

export const zoneOf = ({ zones }: Ledger, workspaceId: string): string =>
  zones.get(workspaceId)?.timezone ?? 'UTC'

/** Its owner moved a workspace: whatever its senders did was on dates of the new zone. */
export function moveZone(
  { zones, claims, mailboxes, accounts }: Ledger,
  { workspace_id, timezone }: { workspace_id: string; timezone: string },
  now: number,
) {
  zones.set(workspace_id, { timezone, since: dateOf(timezone, now - (LOOKED_AT_DAYS - 1) * DAY_MS) })
  for (const claim of claims) {
    const sender = mailboxes.get(claim.sender_id) ?? accounts.get(claim.sender_id)
    if (sender?.workspace_id === workspace_id) claim.date = dateOf(timezone, claim.at)
  }
}
