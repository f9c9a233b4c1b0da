import { db, pool } from '#lib/db/client'
import { nextHours } from '#lib/domain/forecast/next-day'
import { forecastable } from '#lib/services/forecast/campaign'
import { inputFromState } from '#lib/services/forecast/input'

const HOUR_MS = 3_600_000
const HOURS = 24
/** More campaigns than this are not computed while the page waits; `left_out` is the number of the others. */
const MOST_CAMPAIGNS = 12

type NextDay = {
  /** The starts of the hours; the current hour is the first. */
  hours: Date[]
  planned: number[]
  senders: { sender_id: string; kind: 'mailbox' | 'account'; name: string; planned: number[] }[]
  left_out: number
}

/**
 * What the running campaigns will send in the next 24 hours, by hour and sender. Each campaign is forecast
 * alone.
 */
export async function readNextDay(workspaceId: string, now: Date): Promise<NextDay> {
  const from = Math.floor(now.getTime() / HOUR_MS) * HOUR_MS
  const where = { workspace_id: workspaceId, status: { in: ['active' as const, 'draining' as const] } }
  const [rows, running] = await Promise.all([
    db.campaign.findMany({
      where,
      include: { workspace: { select: { timezone: true } } },
      orderBy: { next_slot_at: { sort: 'asc', nulls: 'last' } },
      take: MOST_CAMPAIGNS,
    }),
    db.campaign.count({ where }),
  ])
  const bySender = new Map<string, number[]>()
  for (const row of rows) {
    const input = await inputFromState(pool(), forecastable(row, row.workspace.timezone), now, now)
    for (const [sender, hours] of nextHours(input, from, HOURS)) {
      const sum = bySender.get(sender)
      bySender.set(sender, sum ? sum.map((count, hour) => count + (hours[hour] ?? 0)) : hours)
    }
  }
  const senders = await named(workspaceId, bySender)
  return {
    hours: Array.from({ length: HOURS }, (_, hour) => new Date(from + hour * HOUR_MS)),
    planned: Array.from({ length: HOURS }, (_, hour) =>
      senders.reduce((sum, sender) => sum + (sender.planned[hour] ?? 0), 0),
    ),
    senders,
    left_out: running - rows.length,
  }
}

async function named(workspaceId: string, bySender: Map<string, number[]>): Promise<NextDay['senders']> {
  const ids = [...bySender.keys()]
  const owned = { workspace_id: workspaceId }
  const [mailboxes, accounts] = await Promise.all([
    db.mailbox.findMany({
      where: { ...owned, mailbox_id: { in: ids } },
      select: { mailbox_id: true, address: true },
      orderBy: { address: 'asc' },
    }),
    db.connectedAccount.findMany({
      where: { ...owned, account_id: { in: ids } },
      select: { account_id: true, name: true },
      orderBy: { name: 'asc' },
    }),
  ])
  const planned = (id: string) => bySender.get(id) ?? []
  return [
    ...mailboxes.map(({ mailbox_id, address }) => ({
      sender_id: mailbox_id,
      kind: 'mailbox' as const,
      name: address,
      planned: planned(mailbox_id),
    })),
    ...accounts.map(({ account_id, name }) => ({
      sender_id: account_id,
      kind: 'account' as const,
      name,
      planned: planned(account_id),
    })),
  ]
}
