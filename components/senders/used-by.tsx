import { ACTION_LABELS } from '#components/senders/labels'
import { Link } from '#components/ui/controls/link'
import type { SenderUse } from '#lib/contracts/senders/sender-uses'

type Props = { uses: SenderUse[]; used_today: number }

/** Who used today's slots: each campaign, and the rest. */
export function UsedBy({ uses, used_today }: Props) {
  if (used_today === 0 && uses.length === 0) return <p className="text-sm text-muted">Not used today.</p>
  const other = used_today - uses.reduce((sum, { used }) => sum + used, 0)
  return (
    <ul className="grid gap-1 text-sm" aria-label="Used today by">
      {[...Map.groupBy(uses, ({ campaign_id }) => campaign_id).values()].map((own) => (
        <Campaign key={own[0]?.campaign_id} own={own} />
      ))}
      {other > 0 && (
        <li className="flex justify-between gap-3 text-muted">
          <span>Manual messages and refused actions</span>
          <span>{other.toLocaleString('en')}</span>
        </li>
      )}
    </ul>
  )
}

function Campaign({ own }: { own: SenderUse[] }) {
  const [first] = own
  if (!first) return null
  return (
    <li className="flex justify-between gap-3">
      <Link
        href={`/campaigns/${first.campaign_id}`}
        className="min-w-0 truncate rounded-xs hover:underline"
        title={first.campaign_name}
      >
        {first.campaign_name}
      </Link>
      <span className="text-right text-muted">
        {own
          .map(({ action_type, used }) => {
            const label = ACTION_LABELS[action_type]
            return `${used.toLocaleString('en')}${label ? ` ${label.toLowerCase()}` : ''}`
          })
          .join(', ')}
      </span>
    </li>
  )
}
