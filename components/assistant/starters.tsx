import {
  CalendarClock,
  ChartColumn,
  CircleAlert,
  CircleHelp,
  Database,
  FileText,
  type LucideIcon,
  Mailbox,
  Send,
} from 'lucide-react'
import type { Explanation } from '#lib/contracts/campaigns/explanations'

export type Starter = { icon: LucideIcon; words: string }

const CAN_DO: Starter = { icon: CircleHelp, words: 'What can you do?' }
const WHY: Starter = { icon: CircleAlert, words: 'Why is it not sending?' }

/** Questions for a campaign that still has something to send. */
const AHEAD: Starter[] = [
  { icon: CalendarClock, words: 'When will it finish?' },
  { icon: ChartColumn, words: 'Forecast this campaign' },
]

const ANYWHERE: Starter[] = [
  { icon: Send, words: 'List my campaigns' },
  { icon: Mailbox, words: 'List my mailboxes' },
  { icon: Database, words: 'List my datasets' },
  { icon: FileText, words: 'List my templates' },
]

type Standing = Pick<Explanation, 'code' | 'params'>

/**
 * Suggested questions, for the campaign whose page is open if there is one: by its status, or general ones if
 * that cannot be read. All of them also work without a language model.
 */
export function startersFor(campaign: { standing: Standing | null } | null): Starter[] {
  if (campaign === null) return [...ANYWHERE, CAN_DO]
  const { standing } = campaign
  if (standing?.code === 'not_running' && standing.params.status === 'completed') return [...ANYWHERE, CAN_DO]
  return [...(standing && isAsItShouldBe(standing) ? [] : [WHY]), ...AHEAD, CAN_DO]
}

/**
 * Whether nothing unusual holds the campaign back: it sends, waits for an interval or delay, or is not
 * launched yet.
 */
const isAsItShouldBe = ({ code, params }: Standing) =>
  code === 'not_running'
    ? params.status === 'draft' || params.status === 'launching'
    : code === 'due_now' || code === 'min_interval' || code === 'delay'
