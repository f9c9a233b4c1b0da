import type { PoolClient } from 'pg'
import { jsonText } from '#lib/db/json-text'
import { uuidv7 } from '#lib/db/uuid'
import type { PlayedLead } from '#lib/services/sandbox/history/played'

type Where = { workspace_id: string; campaign_id: string; dataset_id: string; mailbox_id: string }
type Row = Record<string, unknown>

/**
 * Inserts invented rows in their final state, as an archive import does: they trigger nothing, so nobody is notified and no webhook is
 * called. All rows of a table must have the same columns.
 */
export async function addHistoryRows(client: PoolClient, table: string, rows: Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const columns = Object.keys(first)
    .map((column) => `"${column}"`)
    .join(', ')
  await client.query(
    `INSERT INTO "${table}" (${columns}) SELECT ${columns} FROM jsonb_populate_recordset(NULL::"${table}", $1::jsonb)`,
    [jsonText(rows)],
  )
}

const instant = (at: number) => new Date(at).toISOString()

const REASONS = { replied: null, bounced: 'hard_bounce', unsubscribed: 'unsubscribe' } as const

/** Lead rows in their current state. `people` maps addresses to persons. */
export const leadRows = (where: Where, leads: PlayedLead[], people: ReadonlyMap<string, string>): Row[] =>
  leads.map(({ campaign_lead_id, lead_index, person, mails, came, is_over, due_at }) => {
    const last = mails.at(-1)
    const ended = came && came.fate.ended !== 'away' ? came.fate.ended : null
    return {
      campaign_lead_id,
      campaign_id: where.campaign_id,
      workspace_id: where.workspace_id,
      dataset_id: where.dataset_id,
      lead_index,
      email: person.email,
      person_id: people.get(person.email) ?? null,
      status: ended ?? (is_over ? 'completed' : last ? 'active' : 'pending'),
      current_step: last?.step ?? 0,
      next_step: is_over ? null : (last?.step ?? 0) + 1,
      next_action_at: is_over ? null : instant(due_at),
      next_action_type: is_over ? null : 'email',
      next_sender_id: is_over || !last ? null : where.mailbox_id,
      mailbox_id: last ? where.mailbox_id : null,
      thread_message_id: mails[0]?.message_id ?? null,
      thread_subject: mails[0]?.subject ?? null,
      last_event: ended ?? (came ? 'automatic_reply' : last ? 'sent' : null),
      last_event_at: came || last ? instant(Math.max(came?.at ?? 0, last?.at ?? 0)) : null,
      reason: ended && REASONS[ended],
      created_at: instant(mails[0]?.at ?? due_at),
    }
  })

export const actionRows = (where: Where, leads: PlayedLead[], template_ids: string[]): Row[] =>
  leads.flatMap(({ campaign_lead_id, mails }) =>
    mails.map(({ variant, at, ...mail }) => ({
      ...mail,
      campaign_lead_id,
      campaign_id: where.campaign_id,
      workspace_id: where.workspace_id,
      mailbox_id: where.mailbox_id,
      channel: 'email',
      action_type: 'email',
      variant_label: variant === null ? null : 'AB'[variant],
      template_id: variant === null ? null : template_ids[variant],
      status: 'sent',
      attempts: 1,
      performed_at: instant(at),
      recorded_at: instant(at),
      created_at: instant(at),
      outcome: 'accepted',
      response: '250 2.0.0 Ok (made up: sample data)',
    })),
  )

const LOGGED = {
  replied: 'replied',
  bounced: 'bounced',
  unsubscribed: 'unsubscribed',
  away: 'automatic_reply',
} as const

export const eventRows = (where: Where, leads: PlayedLead[], launched_at: number): Row[] => [
  eventRow(where, { at: launched_at, kind: 'launched', detail: { leads: leads.length } }),
  ...leads.flatMap(({ campaign_lead_id, came }) =>
    came
      ? [
          eventRow(where, {
            campaign_lead_id,
            at: came.at,
            kind: LOGGED[came.fate.ended],
            step: came.fate.step,
            channel: 'email',
          }),
        ]
      : [],
  ),
]

type Logged = {
  at: number
  kind: string
  campaign_lead_id?: string
  step?: number
  channel?: string
  detail?: Row
}

function eventRow(where: Where, event: Logged): Row {
  const { campaign_lead_id = null, step = null, channel = null, detail = {}, at, kind } = event
  return {
    event_id: uuidv7(new Date(at)),
    campaign_id: where.campaign_id,
    workspace_id: where.workspace_id,
    campaign_lead_id,
    at: instant(at),
    kind,
    step,
    channel,
    detail,
  }
}
