import { actionOf, type Claim, type Ledger } from '#tests/simulation/checks/ledger'
import { dateOf } from '#tests/simulation/worlds/calendar'

/** Limits look back this many dates; earlier counts may still be by the dates of another zone. */
const LOOKED_AT_DAYS = 7
const DAY_MS = 86_400_000

export const zoneOf = ({ zones }: Ledger, workspaceId: string): string =>
  zones.get(workspaceId)?.timezone ?? 'UTC'

/** In no zone does a date begin within a quarter of an hour. */
const QUARTER_MS = 900_000
const USES_A_PLACE = ['sending', 'sent', 'uncertain', 'failed']

/**
 * The owner changed the workspace's time zone: the slots of its senders are now counted by dates of the new zone. Of an action
 * that was retried, the ledger keeps only the latest try: an earlier one counts at the end of its date.
 */
export function moveZone(
  ledger: Ledger,
  { workspace_id, timezone }: { workspace_id: string; timezone: string },
  now: number,
) {
  const { zones, claims, mailboxes, accounts } = ledger
  const before = zoneOf(ledger, workspace_id)
  zones.set(workspace_id, { timezone, since: dateOf(timezone, now - (LOOKED_AT_DAYS - 1) * DAY_MS) })
  for (const claim of claims) {
    const sender = mailboxes.get(claim.sender_id) ?? accounts.get(claim.sender_id)
    if (sender?.workspace_id !== workspace_id) continue
    const at = isInLedger(ledger, claim) ? claim.at : Math.min(endOfDate(before, claim), now)
    claim.date = dateOf(timezone, at)
  }
}

function isInLedger(ledger: Ledger, { lead, step, at }: Claim): boolean {
  const isLast = !ledger.claims.some((other) => other.lead === lead && other.step === step && other.at > at)
  const action = actionOf(ledger, lead, step)
  return isLast && action !== undefined && USES_A_PLACE.includes(action.status)
}

function endOfDate(timezone: string, { date, at }: Claim): number {
  let end = Math.floor(at / QUARTER_MS) * QUARTER_MS + QUARTER_MS
  while (dateOf(timezone, end) <= date) end += QUARTER_MS
  return end - 1
}
