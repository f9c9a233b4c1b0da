import { Link } from '#components/ui/controls/link'
import { ProgressLine } from '#components/ui/feedback/progress'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import { ACTION_LABELS } from '../labels.tsx'
import { ofCap } from './cap-table.tsx'

type Cap = ConnectedAccount['limits']['caps'][number]

/** As many as fit on a card; the account's page shows all. */
const MOST = 3

/** The kinds of action used recently, closest to their cap first; `path` links to all of them. */
export function UsedCaps({ caps, name, path }: { caps: Cap[]; name: string; path: string }) {
  const possible = caps.filter((cap) => cap.day !== 0)
  const used = possible
    .filter((cap) => cap.used_this_week > 0)
    .toSorted((a, b) => shareUsed(b) - shareUsed(a))
    .slice(0, MOST)
  const rest = possible.length - used.length
  return (
    <div className="grid gap-2">
      {used.length === 0 && <p className="text-muted">No actions in the last seven days.</p>}
      <ul className="grid gap-2 empty:hidden">
        {used.map((cap) => (
          <CapLine key={cap.action_type} cap={cap} name={name} />
        ))}
      </ul>
      {rest > 0 && (
        <Link href={path} className="w-fit text-accent-text hover:underline">
          {used.length === 0 ? 'All limits' : `${rest} more ${rest === 1 ? 'limit' : 'limits'}`}
        </Link>
      )}
    </div>
  )
}

function CapLine({ cap, name }: { cap: Cap; name: string }) {
  const { action_type, used_today, used_this_week, day, week } = cap
  const label = ACTION_LABELS[action_type] ?? action_type
  return (
    <li>
      <p className="mb-1 flex flex-wrap justify-between gap-x-3">
        <span>{label}</span>
        <span className="text-muted tabular-nums">
          {ofCap(used_today, day)} today · {ofCap(used_this_week, week)} in 7 days
        </span>
      </p>
      {day !== null && (
        <ProgressLine label={`${label} of ${name} today`} value={Math.min(100, (100 * used_today) / day)} />
      )}
    </li>
  )
}

/** The used share of the tighter of two caps; actions without a cap sort last. */
const shareUsed = ({ used_today, used_this_week, day, week }: Cap): number =>
  Math.max(day ? used_today / day : 0, week ? used_this_week / week : 0)
