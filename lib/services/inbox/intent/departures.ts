import type { PoolClient } from 'pg'
import { replyEffect } from '#lib/domain/inbox/intent/intent-rules'
import type { ReadIntent } from '#lib/domain/inbox/intent/intents'
import { askForBranch, cancelBranches } from '#lib/services/inbox/intent/branches'
import { holdUntilDay } from '#lib/services/inbox/intent/holds'
import { rulesFor } from '#lib/services/inbox/intent/rules'
import { endDeparted } from '#lib/services/leads/state/departures'

type Departed = {
  lead: { workspace_id: string; campaign_id: string; campaign_lead_id: string; email: string }
  context: { inbound_message_id: string; received_at: Date }
  intent: ReadIntent
}

/**
 * Applies automatic replies that say that people have left, or that nobody reads their mailbox. The rule of
 * the intent applies as for a reply, but since nobody replied the leads become skipped. Returns, by lead,
 * until when waiting leads are held. All campaigns of these people must be locked.
 */
export async function onDepartures(
  client: PoolClient,
  departed: readonly Departed[],
  now: Date,
): Promise<ReadonlyMap<string, Date>> {
  const held = new Map<string, Date>()
  if (departed.length === 0) return held
  const rules = await rulesFor(
    client,
    departed.map(({ lead, intent }) => ({ ...lead, intent: intent.intent })),
  )
  const gone: (Departed & { branch: string | null })[] = []
  for (const [index, one] of departed.entries()) {
    const { lead, context, intent } = one
    const of = { campaign_id: lead.campaign_id, received_at: context.received_at.getTime() }
    const effect = replyEffect(intent, rules[index] ?? null, of)
    const { evidence } = intent
    const until =
      effect.does === 'hold' &&
      (await holdUntilDay(client, lead, { until: effect.until, evidence }, context, now))
    if (until) held.set(lead.campaign_lead_id, until)
    else gone.push({ ...one, branch: effect.does === 'branch' ? effect.campaign_id : null })
  }
  await endDeparted(
    client,
    gone.map(({ lead, context }) => ({ ...lead, message_id: context.inbound_message_id })),
    now,
  )
  await cancelBranches(
    client,
    gone.map(({ lead, branch }) => ({ ...lead, but: branch })),
  )
  for (const { lead, intent, branch } of gone)
    if (branch) await askForBranch(client, { ...lead, intent: intent.intent }, branch, now)
  return held
}
