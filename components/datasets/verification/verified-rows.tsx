import { EmailStatusPill } from '#components/datasets/email-status'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { Output } from '#lib/contracts/contract'
import type { DatasetVerification, ListVerifiedRows } from '#lib/contracts/enrichment/verification'

type Props = {
  path: string
  query: Query
  verified: Output<typeof ListVerifiedRows>
  counts: DatasetVerification
  now: string
}

const FILTERS = [
  ['invalid', 'Invalid'],
  ['risky', 'Risky'],
  ['unknown', 'Unknown'],
  ['valid', 'Valid'],
] as const

/** The services' own spelling of their names. */
const SERVICES: Record<string, string> = { neverbounce: 'NeverBounce', zerobounce: 'ZeroBounce' }

/** Each verified address with its status and the reason. */
export function VerifiedRows({ path, query, verified, counts, now }: Props) {
  const chips = [
    { href: path, label: 'All', current: !query.status },
    ...FILTERS.map(([status, label]) => ({
      href: `${path}?status=${status}`,
      label,
      count: counts[status],
      current: query.status === status,
    })),
  ]
  return (
    <Panel title="Addresses" flush>
      <div className="min-w-0 px-3 py-2">
        <FilterChips label="Status" chips={chips} />
      </div>
      <Table caption="Verified addresses">
        <thead>
          <tr>
            <Th numeric>Row</Th>
            <Th>Address</Th>
            <Th>Status</Th>
            <Th className="w-2/5">Why</Th>
            <Th>Verified</Th>
          </tr>
        </thead>
        <tbody>
          {verified.items.map((one) => (
            <Tr key={one.lead_index}>
              <Td label="Row" numeric className="w-px text-muted max-sm:hidden!">
                {one.lead_index + 1}
              </Td>
              <Td lead className="wrap-anywhere">
                {one.email}
                <span className="block text-xs font-normal text-muted sm:hidden">
                  Row {one.lead_index + 1}
                </span>
              </Td>
              <Td label="Status">
                <EmailStatusPill status={one.status} />
              </Td>
              <Td label="Why" className="text-muted">
                {one.reason}
              </Td>
              <Td label="Verified" className="text-muted">
                <RelativeTime at={one.verified_at} now={now} />
                {one.verified_by !== 'opener' && ` by ${SERVICES[one.verified_by] ?? one.verified_by}`}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      {verified.items.length === 0 && (
        <p className="px-4 py-10 text-center text-sm text-muted">No addresses have this status.</p>
      )}
      <Pagination
        path={path}
        query={query}
        page={verified.page}
        page_size={verified.page_size}
        total={verified.total}
        noun="addresses"
      />
    </Panel>
  )
}
