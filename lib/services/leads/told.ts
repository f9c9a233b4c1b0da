import { hidden, prepared } from '#lib/db/prepared'
import type { Statements } from '#lib/db/statements'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { INTENTS } from '#lib/domain/inbox/intent/intents'
import { oneLineReason, type Reasoned } from '#lib/domain/leads/lead-reasons'
import { type Logged, writeLog } from '#lib/services/campaigns/decision-log'
import { type Notice, type Told, tell } from '#lib/services/telling/tell'

/** The facts reported about a lead that has just moved. */
export type MovedLead = {
  workspace_id: string
  campaign_id: string
  campaign_lead_id: string
  email: string | null
  lead_index: number
  current_step: number
  status: LeadStatus
} & Reasoned

/** SQL: these columns of lead `l`. */
export const MOVED = `l.workspace_id, l.campaign_id, l.campaign_lead_id, l.email, l.lead_index, l.current_step, l.reason,
  l.reason_detail, l.status::text AS status`

/**
 * Emits events for leads that bounced or completed. Replies and complaints are reported, with more detail, by
 * the code that read them.
 */
export async function tellOfEndings(client: Statements, leads: MovedLead[], at: Date): Promise<void> {
  const events: Told[] = []
  const notices: Notice[] = []
  for (const lead of leads) {
    const { workspace_id, campaign_id, campaign_lead_id, email, lead_index, status } = lead
    if (status !== 'bounced' && status !== 'completed') continue
    const reason = oneLineReason(lead)
    const data = { campaign_id, campaign_lead_id, email, lead_index, step: lead.current_step, reason }
    events.push({ type: `lead.${status}`, workspace_id, at, data })
    const said = { email, reason: reason?.slice(0, 200) ?? null }
    if (status === 'bounced')
      notices.push({ workspace_id, kind: 'bounce', campaign_id, campaign_lead_id, data: said })
  }
  await tell(client, events, notices)
}

const TOLD_KINDS = ['replied', 'complained', 'unsubscribed', 'held'] as const

/** Writes the decision log of leads, and emits the events for replies, opt-outs and held texts. */
export async function writeLeadLog(client: Statements, events: Logged[]): Promise<void> {
  await writeLog(client, events)
  const told = events.flatMap((event) => {
    const kind = TOLD_KINDS.find((one) => one === event.kind)
    return kind ? [{ ...event, kind }] : []
  })
  if (told.length === 0) return
  const { rows } = await client.query<{ campaign_lead_id: string; email: string | null; lead_index: number }>(
    prepared(
      `SELECT campaign_lead_id, email, lead_index FROM campaign_leads
       WHERE campaign_lead_id = ANY (${hidden('$1::uuid[]')}::uuid[])`,
      [told.map((event) => event.campaign_lead_id)],
    ),
  )
  const leads = new Map(rows.map((row) => [row.campaign_lead_id, row]))
  const tellable = told.flatMap((event) => {
    const lead = leads.get(event.campaign_lead_id ?? '')
    return lead ? [{ event, lead }] : []
  })
  await tell(
    client,
    tellable.map(({ event, lead }) => answerTold(event, lead)),
    tellable.flatMap(({ event, lead }): Notice[] => {
      const { kind, workspace_id, campaign_id, detail } = event
      if (kind !== 'replied' && kind !== 'complained') return []
      const { campaign_lead_id, email } = lead
      const data = { email, subject: textIn(detail.subject) ?? null }
      return [
        {
          workspace_id,
          kind: kind === 'replied' ? 'reply' : 'complaint',
          campaign_id,
          campaign_lead_id,
          data,
        },
      ]
    }),
  )
}

const textIn = (value: unknown) => (typeof value === 'string' ? value : undefined)

function answerTold(
  event: Omit<Logged, 'kind'> & { kind: (typeof TOLD_KINDS)[number] },
  lead: { campaign_lead_id: string; email: string | null; lead_index: number },
): Told {
  const { kind, workspace_id, at, campaign_id, step = null, reason = null, channel = null, detail } = event
  const said = { ...lead, campaign_id, step, reason, channel }
  if (kind === 'held') return { type: 'lead.held', workspace_id, at, data: said }
  const [from, subject, id] = [detail.from, detail.subject, detail.inbound_message_id].map(textIn)
  const intent = INTENTS.find((one) => one === detail.intent)
  const data = {
    ...said,
    ...(from !== undefined && { from }),
    ...(subject !== undefined && { subject }),
    ...(id !== undefined && { inbound_message_id: id }),
    ...(intent !== undefined && { intent }),
  }
  return { type: `lead.${kind}`, workspace_id, at, data }
}
