import { EmailStatusPill } from '#components/datasets/email-status'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import type { Output } from '#lib/contracts/contract'
import type { ListFoundEmails } from '#lib/contracts/enrichment/email-finder'

type Props = {
  path: string
  query: Query
  found: Output<typeof ListFoundEmails>
  people: ReadonlyMap<number, string>
}

/** What the email finder found for each row, filled in or not. */
export function FoundTable({ path, query, found, people }: Props) {
  return (
    <Panel
      title="Addresses found"
      description="Only addresses above the threshold were filled in. The others are listed with the reason."
      flush
    >
      <Table caption="Addresses found">
        <thead>
          <tr>
            <Th numeric>Row</Th>
            <Th>Address</Th>
            <Th>Person</Th>
            <Th>Status</Th>
            <Th numeric>Confidence</Th>
            <Th>Filled in</Th>
            <Th className="w-1/4">Why</Th>
          </tr>
        </thead>
        <tbody>
          {found.items.map((one) => (
            <Tr key={one.lead_index}>
              <Td label="Row" numeric className="w-px text-muted max-sm:hidden!">
                {one.lead_index + 1}
              </Td>
              <Td lead className="wrap-anywhere sm:min-w-64">
                {one.email ?? <span className="font-normal text-muted">No address found</span>}
                <span className="block text-xs font-normal text-muted sm:hidden">
                  Row {one.lead_index + 1}
                </span>
              </Td>
              <Td label="Person" className="text-muted">
                {people.get(one.lead_index) ?? '–'}
              </Td>
              <Td label="Status">
                <EmailStatusPill status={one.status} />
              </Td>
              <Td label="Confidence" numeric>
                {one.confidence} %
              </Td>
              <Td label="Filled in">{one.filled ? 'Yes' : 'No'}</Td>
              <Td label="Why" className="text-muted">
                {one.reason}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {found.items.length === 0 && (
        <p className="px-4 py-10 text-center text-sm text-muted">Nothing found yet.</p>
      )}
      <Pagination
        path={path}
        query={query}
        page={found.page}
        page_size={found.page_size}
        total={found.total}
        noun="results"
      />
    </Panel>
  )
}
