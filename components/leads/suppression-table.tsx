import { type Column, ListTable } from '#components/lists/list-table'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/zoned-time'
import type { Suppression } from '#lib/contracts/leads/suppressions'
import { type AllowAgain, type SuppressAgain, SuppressionSelection } from './suppression-selection.tsx'

type Props = {
  suppressions: Suppression[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  remove: (suppression_id: string) => Promise<FormResult>
  allow: AllowAgain
  suppress: SuppressAgain
}

/** Those that the instance gives; anything else is in the owner's own words. */
const REASONS: Record<string, string> = {
  unsubscribe: 'Unsubscribed',
  hard_bounce: 'Bounced for good',
  complaint: 'Complained',
  unsubscribe_shared: 'Unsubscribed from another workspace',
  complaint_shared: 'Complained to another workspace',
  manual: 'Added by hand',
  import: 'Imported',
}

const wordsFor = ({ reason, inherited_from }: Suppression) =>
  `${REASONS[reason] ?? reason.replaceAll('_', ' ')}${inherited_from ? ` · from ${inherited_from.name}` : ''}`

const buildColumns = (now: string): Column<Suppression>[] => [
  {
    label: 'Who',
    head: (
      <span className="inline-flex items-center gap-2">
        <Checkbox label="Select all that are shown" hideLabel data-select-all autoComplete="off" />
        Who
      </span>
    ),
    cell: (suppression) => <Suppressed suppression={suppression} now={now} />,
  },
  { label: 'Why', className: 'max-sm:hidden!', cell: wordsFor },
  {
    label: 'Since',
    className: 'max-sm:hidden!',
    cell: ({ created_at }) => <RelativeTime at={created_at} now={now} />,
  },
]

function Suppressed({ suppression, now }: { suppression: Suppression; now: string }) {
  const { suppression_id, value, inherited_from, created_at } = suppression
  return (
    <span className="inline-flex items-start gap-2 max-sm:pr-14">
      {inherited_from ? (
        <span className="mt-0.5 size-4 shrink-0" />
      ) : (
        <Checkbox label={`Select ${value}`} hideLabel data-select value={suppression_id} autoComplete="off" />
      )}
      <span className="pt-0.5 wrap-anywhere">
        {value}
        {value.startsWith('@') && <span className="font-normal text-muted"> (whole domain)</span>}
        {/* On a phone an entry is two lines, not a card of five. */}
        <span className="block font-normal text-muted sm:hidden">
          {wordsFor(suppression)} · <RelativeTime at={created_at} now={now} />
        </span>
      </span>
    </span>
  )
}

export function SuppressionTable({ suppressions, now, remove, allow, suppress, ...pages }: Props) {
  const own = suppressions.filter(({ inherited_from }) => !inherited_from)
  const rows = own.map(({ suppression_id, value }) => ({ suppression_id, value }))
  return (
    <SuppressionSelection rows={rows} allow={allow} suppress={suppress}>
      <ListTable
        {...pages}
        caption="Suppressions"
        noun="suppressions"
        path="/suppressions"
        columns={buildColumns(now)}
        rows={suppressions}
        rowKey={({ suppression_id }) => suppression_id}
        actions={({ suppression_id, value, inherited_from }) =>
          inherited_from ? null : (
            <ActionButton
              size="sm"
              variant="ghost"
              aria-label={`Allow again: ${value}`}
              act={remove.bind(null, suppression_id)}
              confirm={{
                title: `Allow contact with ${value} again?`,
                description: 'New campaigns can contact it. Leads it ended stay ended.',
                label: 'Allow again',
                danger: true,
              }}
            >
              Allow again
            </ActionButton>
          )
        }
      />
    </SuppressionSelection>
  )
}
