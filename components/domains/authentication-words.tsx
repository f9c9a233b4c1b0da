import { Badge } from '#components/ui/feedback/badge'
import type { Placement } from '#lib/domain/domains/placement'

const PLACES: Record<Placement, string> = {
  inbox: 'Inbox',
  promotions: 'Promotions',
  social: 'Social',
  updates: 'Updates',
  forums: 'Forums',
  spam: 'Spam',
  other: 'Elsewhere',
}

export function PlacementBadge({ placement }: { placement: Placement }) {
  const tone = placement === 'inbox' ? 'success' : placement === 'spam' ? 'danger' : 'warning'
  return <Badge tone={tone}>{PLACES[placement]}</Badge>
}

/** The result as the receiver reported it; null if it reported none. */
export function VerdictWord({ result }: { result: string | null }) {
  if (result === null) return <span className="text-muted">unknown</span>
  if (result === 'pass') return <span>pass</span>
  return <span className="font-medium text-danger">{result}</span>
}
