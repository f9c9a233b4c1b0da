import { type Column, ListTable } from '#components/lists/list-table'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { Suppression } from '#lib/contracts/leads/suppressions'
import {
  type SuppressionActs,
  SuppressionSelection,
  type TickedSuppression,
} from './suppression-selection.tsx'
import { SuppressionPageTick, SuppressionTick } from './suppression-tick.tsx'
import { reasonWords } from './suppression-words.ts'

type Props = {
  suppressions: Suppression[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  remove: (suppression_id: string) => Promise<FormResult>
  acts: SuppressionActs
}

const wordsFor = ({ reason, inherited_from }: Suppression) =>
  `${reasonWords(reason)}${inherited_from ? ` · from ${inherited_from.name}` : ''}`

const toTicked = ({ suppression_id, value, reason, created_at }: Suppression): TickedSuppression => ({
  suppression_id,
  value,
  reason,
  created_at,
})

const buildColumns = (now: string, own: TickedSuppression[]): Column<Suppression>[] => [
  {
    label: 'Entry',
    sort: { column: 'value' },
    before: own.length > 0 && <SuppressionPageTick rows={own} />,
    cell: (suppression) => <Suppressed suppression={suppression} now={now} />,
  },
  { label: 'Reason', sort: { column: 'reason' }, className: 'max-sm:hidden!', cell: wordsFor },
  {
    label: 'Added',
    sort: { column: 'created_at', first: 'down' },
    className: 'max-sm:hidden!',
    cell: ({ created_at }) => <RelativeTime at={created_at} now={now} />,
  },
]

function Suppressed({ suppression, now }: { suppression: Suppression; now: string }) {
  const { value, inherited_from, created_at } = suppression
  return (
    <span className="flex items-start gap-2 max-sm:pr-14 [&_input]:mt-1">
      {inherited_from ? (
        <span className="mt-0.5 size-4 shrink-0" />
      ) : (
        <SuppressionTick row={toTicked(suppression)} />
      )}
      <span className="pt-0.5 wrap-anywhere">
        {value}
        {value.startsWith('@') && <span className="font-normal text-muted"> (whole domain)</span>}
        {/* On a phone an entry takes two lines rather than a card with five. */}
        <span className="block font-normal text-muted sm:hidden">
          {wordsFor(suppression)} · <RelativeTime at={created_at} now={now} />
        </span>
      </span>
    </span>
  )
}

export function SuppressionTable({ suppressions, now, remove, acts, ...pages }: Props) {
  const own = suppressions.flatMap((one) => (one.inherited_from ? [] : [toTicked(one)]))
  const { sort: _, ...filters } = pages.query
  return (
    // Other filters reset the selection; another page does not.
    <SuppressionSelection key={JSON.stringify(filters)} acts={acts} total={pages.total}>
      <ListTable
        {...pages}
        caption="Suppressions"
        noun="suppressions"
        path="/suppressions"
        columns={buildColumns(now, own)}
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
