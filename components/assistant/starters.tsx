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

/** What is asked of a campaign that has something to come. */
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
 * What can be asked, of the campaign whose page it is where there is one: by how it stands, or, where that cannot be read,
 * whatever may be asked of any. Each of them is understood without a language model, too.
 */
export function startersFor(campaign: { standing: Standing | null } | null): Starter[] {
  if (campaign === null) return [...ANYWHERE, CAN_DO]
  const { standing } = campaign
  if (standing?.code === 'not_running' && standing.params.status === 'completed') return [...ANYWHERE, CAN_DO]
  return [...(standing && isAsItShouldBe(standing) ? [] : [WHY]), ...AHEAD, CAN_DO]
}

/** Whether nothing holds it back: it sends, waits only for its own interval or delays, or was not launched yet. */
const isAsItShouldBe = ({ code, params }: Standing) =>
  code === 'not_running'
    ? params.status === 'draft' || params.status === 'launching'
    : code === 'due_now' || code === 'min_interval' || code === 'delay'
