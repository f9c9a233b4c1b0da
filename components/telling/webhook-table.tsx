import { SortTh } from '#components/lists/sort-th'
import { WebhookStatus } from '#components/telling/webhook-status'
import { Link } from '#components/ui/controls/link'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { Webhook } from '#lib/contracts/telling/webhooks'

type Props = {
  webhooks: Webhook[]
  event_count: number
  total: number
  page: number
  page_size: number
  query: Query
  now: string
}

const path = '/webhooks'

export function WebhookTable({ webhooks, event_count, query, now, ...list }: Props) {
  return (
    <Panel flush>
      <Table caption="Webhooks">
        <thead>
          <tr>
            <SortTh {...{ path, query }} column="url">
              Address
            </SortTh>
            <SortTh {...{ path, query }} column="state">
              State
            </SortTh>
            <SortTh {...{ path, query }} column="events" first="down">
              Events
            </SortTh>
            <SortTh {...{ path, query }} column="created_at" first="down">
              Created
            </SortTh>
          </tr>
        </thead>
        <tbody>
          {webhooks.map((webhook) => (
            <Tr key={webhook.webhook_id}>
              <Td lead>
                <Link
                  href={`/webhooks/${webhook.webhook_id}`}
                  data-row-link
                  className="rounded-xs font-medium wrap-anywhere hover:underline"
                >
                  {webhook.url}
                </Link>
                {webhook.description && (
                  <span className="block font-normal text-muted">{webhook.description}</span>
                )}
              </Td>
              <Td label="State">
                <WebhookStatus webhook={webhook} />
              </Td>
              <Td label="Events">
                {webhook.event_types.length === event_count
                  ? 'All'
                  : `${webhook.event_types.length} of ${event_count}`}
              </Td>
              <Td label="Created">
                <RelativeTime at={webhook.created_at} now={now} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination path={path} query={query} {...list} noun="webhooks" />
    </Panel>
  )
}
