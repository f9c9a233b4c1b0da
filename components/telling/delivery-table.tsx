import { SortTh } from '#components/lists/sort-th'
import { DeliveryStatus } from '#components/telling/webhook-status'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { Link } from '#components/ui/controls/link'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import { type Query, queryHref } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { WebhookDelivery } from '#lib/contracts/telling/webhooks'

type Props = {
  path: string
  deliveries: WebhookDelivery[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
}

const FILTERS = [
  [undefined, 'All'],
  ['pending', 'Waiting'],
  ['delivered', 'Delivered'],
  ['failed', 'Failed'],
] as const

const COLUMNS = [
  { column: 'event_type', children: 'Event' },
  { column: 'status', children: 'State' },
  { column: 'created_at', children: 'Time', first: 'down' },
  { column: 'attempt_count', children: 'Attempts', first: 'down', numeric: true },
  { column: 'next_attempt_at', children: 'Next attempt' },
] as const

export function DeliveryTable({ path, deliveries, query, now, ...list }: Props) {
  const chips = FILTERS.map(([status, label]) => ({
    href: queryHref(path, query, { status }),
    label,
    current: query.status === status,
  }))
  return (
    <Panel
      title="Deliveries"
      description="Last 30 days"
      action={<FilterChips label="Deliveries by state" chips={chips} />}
      flush
    >
      {deliveries.length === 0 ? (
        <EmptyState
          title={query.status ? 'No deliveries with this status' : 'Nothing happened yet'}
          description="Every event this webhook subscribes to appears here, with each attempt. Send a test to see one."
        />
      ) : (
        <>
          <Table caption="Deliveries">
            <thead>
              <tr>
                {COLUMNS.map((column) => (
                  <SortTh key={column.column} {...{ path, query }} {...column} />
                ))}
              </tr>
            </thead>
            <tbody>
              {deliveries.map((delivery) => (
                <Row
                  key={delivery.delivery_id}
                  delivery={delivery}
                  now={now}
                  href={queryHref(path, query, { page: list.page, delivery: delivery.delivery_id })}
                />
              ))}
            </tbody>
          </Table>
          <Pagination path={path} query={query} {...list} noun="deliveries" />
        </>
      )}
    </Panel>
  )
}

function Row({ delivery, now, href }: { delivery: WebhookDelivery; now: string; href: string }) {
  const { event_type, status, attempt_count, created_at, next_attempt_at, last_error } = delivery
  return (
    <Tr>
      <Td lead>
        <Link
          href={href}
          scroll={false}
          data-row-link
          className="rounded-xs font-mono text-xs font-medium hover:underline"
        >
          {event_type}
        </Link>
        {last_error && status !== 'delivered' && (
          <span className="block text-xs font-normal text-muted wrap-anywhere">{last_error}</span>
        )}
      </Td>
      <Td label="State" plain>
        <DeliveryStatus status={status} tried={attempt_count > 0} />
      </Td>
      <Td label="Time" plain>
        <RelativeTime at={created_at} now={now} />
      </Td>
      {/* On a card the state already says everything about a first attempt. */}
      <Td label="Attempts" numeric className={attempt_count < 2 ? 'max-sm:hidden!' : ''}>
        {attempt_count}
      </Td>
      <Td label="Next attempt">{next_attempt_at ? <RelativeTime at={next_attempt_at} now={now} /> : '–'}</Td>
    </Tr>
  )
}
