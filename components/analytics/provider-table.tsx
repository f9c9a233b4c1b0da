import { SortHead } from '#components/lists/sort-head'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import type { ProviderAnalytics } from '#lib/contracts/campaigns/provider-analytics'
import { PROVIDER_NAMES } from '#lib/domain/domains/recipient-provider'
import { bothWays, type Orders, sortRows } from '#lib/domain/text/row-order'
import { percent } from './funnel.ts'
import { Rate } from './rate.tsx'
import { TrueRange } from './true-range.tsx'

const TITLE = 'Recipients’ providers'
const figure = (count: number) => count.toLocaleString('en')

const COLUMNS = [
  { column: 'provider', label: 'Provider' },
  { column: 'sent', label: 'Sent', first: 'down', numeric: true },
  { column: 'contacted', label: 'Contacted', first: 'down', numeric: true },
  { column: 'replied', label: 'Replied', first: 'down', numeric: true },
  { column: 'bounced', label: 'Bounced', first: 'down', numeric: true },
  { column: 'deferred', label: 'Deferred', first: 'down', numeric: true },
  { column: 'unsubscribed', label: 'Unsubscribed', first: 'down', numeric: true },
] as const

/** The sort orders, as used in the `providers` parameter of the URL. */
export const PROVIDER_SORTS = bothWays([
  'provider',
  'sent',
  'contacted',
  'replied',
  'bounced',
  'deferred',
  'unsubscribed',
])

type Row = ProviderAnalytics['providers'][number]

const ORDERS: Orders<Row> = {
  provider: ({ provider }) => PROVIDER_NAMES[provider],
  sent: ({ sent }) => sent,
  contacted: ({ contacted }) => contacted,
  replied: ({ reply_rate }) => reply_rate.rate,
  bounced: ({ bounce_rate }) => bounce_rate.rate,
  deferred: ({ deferred, sent }) => (deferred + sent > 0 ? deferred / (deferred + sent) : null),
  unsubscribed: ({ unsubscribed }) => unsubscribed,
}

/** Sorts by a figure, rows without it last; without an order, keeps the given one. */
export const sortProviders = (rows: readonly Row[], sort: string | undefined): Row[] =>
  sortRows(rows, ORDERS, sort)

type Props = { analytics: ProviderAnalytics; sorting: { path: string; query: Query } }

/** Results by recipient provider; renders nothing if no email was sent. */
export function ProviderTable({ analytics: { providers }, sorting }: Props) {
  if (providers.length === 0) return null
  return (
    <Panel
      title={TITLE}
      description="By the provider that receives mail for the recipient’s domain. “Other” includes unknown ones."
      flush
    >
      <Table caption={TITLE}>
        <SortHead {...sorting} name="providers" columns={COLUMNS} />
        <tbody>
          {sortProviders(providers, sorting.query.providers?.toString()).map((row) => (
            <Tr key={row.provider}>
              <Td lead>
                <span className="font-medium">{PROVIDER_NAMES[row.provider]}</span>
              </Td>
              <Td label="Sent" numeric>
                {figure(row.sent)}
              </Td>
              <Td label="Contacted" numeric>
                {figure(row.contacted)}
              </Td>
              <Td label="Replied" numeric>
                {percent(row.reply_rate.rate)}
                <TrueRange rate={row.reply_rate} />
              </Td>
              <Td label="Bounced" numeric>
                {percent(row.bounce_rate.rate)}
                <TrueRange rate={row.bounce_rate} />
              </Td>
              <Td label="Deferred" numeric>
                <Rate count={row.deferred} of={row.sent + row.deferred} noun="tries" />
              </Td>
              <Td label="Unsubscribed" numeric>
                {figure(row.unsubscribed)}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
