import { wholeForecast } from '#lib/services/forecast/forecasts'
import type { Claim, Ledger } from '#tests/simulation/checks/ledger'
import { Violation } from '#tests/simulation/checks/violation'

type Action = { lead_index: number; step: number; at: number }

/** The product's forecast for a campaign, beside all others of its workspace. */
export async function promiseOf(workspaceId: string, campaignId: string, now: Date): Promise<Action[]> {
  const planned = await wholeForecast(workspaceId, campaignId, now)
  return [...planned.at].map((at, index) => ({
    at,
    lead_index: planned.lead_index[index] ?? -1,
    step: planned.step[index] ?? -1,
  }))
}

/** I9 and I12: the same lead, the same step, the same instant, and nothing else, whatever other campaigns run. */
export function judgePromise(ledger: Ledger, campaignId: string, promised: Action[]): void {
  const performed = ledger.claims
    .filter((claim) => claim.campaign_id === campaignId)
    .map(
      (claim: Claim): Action => ({
        at: claim.at,
        lead_index: ledger.leads.get(claim.lead)?.lead_index ?? -1,
        step: claim.step,
      }),
    )
  const told = (actions: Action[]) =>
    actions
      .map(({ at, lead_index, step }) => `${new Date(at).toISOString()} lead ${lead_index} step ${step}`)
      .sort()
  const [kept, said] = [told(performed), told(promised)]
  for (let index = 0; index < Math.max(kept.length, said.length); index++)
    if (kept[index] !== said[index])
      throw new Violation(
        'I9',
        `forecast ${said[index] ?? 'nothing more'}, performed ${kept[index] ?? 'nothing more'}`,
      )
}
