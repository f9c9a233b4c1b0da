import {
  ArrowUpRight,
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
import { usePathname } from 'next/navigation'

type Starter = { icon: LucideIcon; words: string }

const CAN_DO: Starter = { icon: CircleHelp, words: 'What can you do?' }

/** What is asked of the campaign whose page this is. */
const OF_CAMPAIGN: Starter[] = [
  { icon: CircleAlert, words: 'Why is it not sending?' },
  { icon: CalendarClock, words: 'When will it finish?' },
  { icon: ChartColumn, words: 'Forecast this campaign' },
]

const ANYWHERE: Starter[] = [
  { icon: Send, words: 'List my campaigns' },
  { icon: Mailbox, words: 'List my mailboxes' },
  { icon: Database, words: 'List my datasets' },
  { icon: FileText, words: 'List my templates' },
]

/** Each of them is understood without a language model, too. */
const startersAt = (path: string): Starter[] => [
  ...(/^\/campaigns\/[0-9a-f-]{36}/.test(path) ? OF_CAMPAIGN : ANYWHERE),
  CAN_DO,
]

/** Before anything was said: what can be asked on this page, near where it is said. */
export function Welcome({ say }: { say: (words: string) => void }) {
  const starters = startersAt(usePathname())
  return (
    <div className="mx-auto mt-auto w-full max-w-xl pt-6 pb-1">
      <p className="text-lg font-semibold">What would you like to know?</p>
      <p className="mt-1 text-pretty text-muted">
        Ask why a campaign is not sending, for a forecast, or for a change. Nothing is changed or sent before
        you approve it.
      </p>
      <ul
        aria-label="Suggestions"
        className="mt-4 divide-y divide-border overflow-hidden rounded-md border border-border"
      >
        {starters.map(({ icon: Icon, words }) => (
          <li key={words}>
            <button
              type="button"
              onClick={() => say(words)}
              className="group flex min-h-10 w-full items-center gap-3 px-3 py-2 text-left hover:bg-hover focus-visible:-outline-offset-2"
            >
              <Icon aria-hidden className="size-4 shrink-0 text-muted" />
              <span className="min-w-0 flex-1">{words}</span>
              <ArrowUpRight
                aria-hidden
                className="size-4 shrink-0 text-muted opacity-0 group-hover:opacity-100"
              />
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}
