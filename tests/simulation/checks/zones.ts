import { actionOf, type Claim, type Ledger } from '#tests/simulation/checks/ledger'
import { dateOf } from '#tests/simulation/worlds/calendar'

/** Limits look back so many dates; what was counted before them may stand by the dates of another zone. */
const LOOKED_AT_DAYS = 7
const DAY_MS = 86_400_000

export const zoneOf = ({ zones }: Ledger, workspaceId: string): string =>
  zones.get(workspaceId)?.timezone ?? 'UTC'

/** No zone's date begins within one. */
const QUARTER_MS = 900_000
const USES_A_PLACE = ['sending', 'sent', 'uncertain', 'failed']

/**
 * Its owner moved a workspace: whatever its senders did was on dates of the new zone. Of a try that came back, the ledger keeps only the
 * one after it: it stands at the end of its date.
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
