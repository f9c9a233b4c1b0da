import type { z } from 'zod'
import type {
  ExportWorkspaceAnalytics,
  WorkspaceAnalytics,
} from '#lib/contracts/campaigns/workspace-analytics'
import type { FileAnswer } from '#lib/contracts/fields'
import { readWorkspaceAnalytics } from '#lib/services/campaigns/workspace-analytics'
import { withExportSeat } from '#lib/services/files/export-seats'
import { tableFile } from '#lib/services/files/table-file'

type Cell = string | number | null
type Analytics = Awaited<ReturnType<typeof readWorkspaceAnalytics>>

const COLUMNS = [
  'group',
  'id',
  'name',
  'sent',
  'contacted',
  'replied',
  'reply_rate',
  'reply_rate_low',
  'reply_rate_high',
  'bounced',
  'bounce_rate',
  'unsubscribed',
  'hours',
] as const
type Line = Partial<Record<(typeof COLUMNS)[number], Cell>>

/** The figures of the analytics page, with its filters, as one table. The first column says what kind of line it is. */
export async function exportWorkspaceAnalytics(
  workspaceId: string,
  { format, ...filters }: z.output<typeof ExportWorkspaceAnalytics.query>,
  now: Date,
): Promise<FileAnswer> {
  const analytics = await readWorkspaceAnalytics(workspaceId, filters, now)
  const lines = toLines(analytics).map((line) => COLUMNS.map((column) => line[column] ?? null))
  const name = `Analytics ${analytics.from} to ${analytics.to}`
  return withExportSeat(workspaceId, tableFile(name, format, [...COLUMNS], inOnePage(lines)))
}

async function* inOnePage(lines: Cell[][]): AsyncGenerator<Cell[][]> {
  yield lines
}

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']

function toLines(analytics: Analytics): Line[] {
  const { totals, previous, reply_hours, days, hours } = analytics
  const { median, p75, p90, buckets } = reply_hours
  return [
    ratedLine('total', '', `${analytics.from} to ${analytics.to}`, totals),
    ratedLine('previous', '', 'As many days before', previous),
    ...Object.entries({ median, p75, p90 }).map(([name, value]) => ({
      group: 'time_to_reply',
      name,
      hours: value,
    })),
    ...buckets.map(({ from, to, replies }) => ({
      group: 'time_to_reply',
      name: to === null ? `${from} hours and later` : `${from} to ${to} hours`,
      replied: replies,
    })),
    ...days.map(({ date, ...counts }) => ({ group: 'day', name: date, ...counts })),
    ...hours.map(({ weekday, hour, ...counts }) => ({
      group: 'hour',
      name: `${WEEKDAYS[weekday - 1]} ${hour}:00`,
      ...counts,
    })),
    ...analytics.campaigns.map((one) => ratedLine('campaign', one.campaign_id, one.name, one)),
    ...analytics.senders.map((one) => ratedLine(one.kind, one.sender_id, one.name, one)),
    ...analytics.datasets.map((one) => ratedLine('dataset', one.dataset_id, one.name, one)),
    ...analytics.members.map((one) => ratedLine('member', one.user_id ?? '', one.name, one)),
  ]
}

function ratedLine(group: string, id: string, name: string, rated: WorkspaceAnalytics['totals']): Line {
  const { sent, contacted, replied, bounced, unsubscribed, reply_rate, bounce_rate } = rated
  return {
    group,
    id,
    name,
    sent,
    contacted,
    replied,
    reply_rate: reply_rate.rate,
    reply_rate_low: reply_rate.low,
    reply_rate_high: reply_rate.high,
    bounced,
    bounce_rate: bounce_rate.rate,
    unsubscribed,
  }
}
