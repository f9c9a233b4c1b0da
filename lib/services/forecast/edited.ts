import type { Reader } from '#lib/db/client'
import { changedSteps, editsNextStep } from '#lib/domain/campaigns/campaign-status'
import type { ForecastInput } from '#lib/domain/forecast/forecast'
import { goOn } from '#lib/domain/sending/outcome'
import type { Forecastable } from '#lib/services/forecast/input'

/**
 * Changes a forecast's input as `moveWaitingLeads` would change the leads when the edit is saved: leads that
 * wait for the first editable step wait for its new version or end, and leads of a removed sender may get any
 * other one.
 */
export async function applyEditToInput(
  reader: Reader,
  input: ForecastInput,
  before: Forecastable,
  after: Forecastable,
  reachedStep: number,
): Promise<ForecastInput> {
  const performed = editsNextStep(before, after, reachedStep)
    ? await performedAt(reader, after, reachedStep)
    : new Map()
  const senders = new Set(input.senders.map(({ sender_id }) => sender_id))
  const kept = (id: string | null) => (id !== null && senders.has(id) ? id : null)
  return {
    ...input,
    follow_ups: input.follow_ups.flatMap((lead) => {
      if (lead.step > after.steps_config.length) return []
      const at = lead.step === reachedStep + 1 ? performed.get(lead.lead_index) : undefined
      const timezone = input.timezone_of?.(lead.lead_index) ?? after.timezone
      const next =
        at === undefined ? null : goOn({ ...after, timezone, step: reachedStep, performed_at: at }).next
      return [
        {
          ...lead,
          due_at: next?.due_at ?? lead.due_at,
          mailbox_id:
            changedSteps([after.alias_ids], [before.alias_ids]).length === 0
              ? lead.mailbox_id
              : kept(lead.mailbox_id),
          account_id:
            after.connected_account_id === before.connected_account_id
              ? lead.account_id
              : kept(lead.account_id),
        },
      ]
    }),
  }
}

/** By lead_index, when the leads that wait for the next step got this one. */
async function performedAt(reader: Reader, { campaign_id }: Forecastable, step: number) {
  const { rows } = await reader.query<{ lead_index: number; at: number }>(
    `SELECT l.lead_index, (extract(epoch FROM a.performed_at) * 1000)::float8 AS at FROM campaign_leads l
     JOIN actions a ON a.campaign_lead_id = l.campaign_lead_id AND a.step = $2
     WHERE l.campaign_id = $1 AND l.status = 'active' AND l.next_step = $2 + 1`,
    [campaign_id, step],
  )
  return new Map(rows.map(({ lead_index, at }) => [lead_index, at]))
}
