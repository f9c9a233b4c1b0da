import { ActionButton } from '#components/ui/action-button'
import type { FormResult } from '#components/ui/action-form'
import { Pagination } from '#components/ui/pagination'
import { Panel } from '#components/ui/panel'
import type { Query } from '#components/ui/query-href'
import { Table, Td, Th, Tr } from '#components/ui/table'
import { RelativeTime } from '#components/ui/zoned-time'
import type { Suppression } from '#lib/contracts/suppressions'

type Props = {
  suppressions: Suppression[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  remove: (suppression_id: string) => Promise<FormResult>
}

export function SuppressionTable({ suppressions, query, now, remove, ...list }: Props) {
  return (
    <Panel flush>
      <Table caption="Suppressions">
        <thead>
          <tr>
            <Th>Address or domain</Th>
            <Th>Why</Th>
            <Th>Since</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {suppressions.map(({ suppression_id, value, reason, created_at }) => (
            <Tr key={suppression_id}>
              <Td lead>
                <span className="wrap-anywhere">{value}</span>
                {value.startsWith('@') && <span className="font-normal text-muted"> (whole domain)</span>}
              </Td>
              <Td label="Why">{reason.replaceAll('_', ' ')}</Td>
              <Td label="Since">
                <RelativeTime at={created_at} now={now} />
              </Td>
              <Td className="w-px">
                <ActionButton
                  size="sm"
                  variant="ghost"
                  aria-label={`Remove ${value}`}
                  act={remove.bind(null, suppression_id)}
                  confirm={{
                    title: `Allow mail to ${value} again?`,
                    description: 'Later campaigns may write to it. Leads that it ended stay ended.',
                    label: 'Allow again',
                    danger: true,
                  }}
                >
                  Remove
                </ActionButton>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination path="/suppressions" query={query} {...list} noun="suppressions" />
    </Panel>
  )
}
