import { Check, CircleDashed, X } from 'lucide-react'
import { DomainStatus } from '#components/domains/domain-status'
import { SortTh } from '#components/lists/sort-th'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { MailDomain } from '#lib/contracts/domains/domains'

const PARTS = [
  ['SPF', 'spf'],
  ['DKIM', 'dkim'],
  ['DMARC', 'dmarc'],
  ['MX', 'mx'],
] as const

type Status = MailDomain['spf']['status']

const MARKS: Record<Status, { icon: typeof Check; ink: string; said: string }> = {
  found: { icon: Check, ink: 'text-success', said: 'found' },
  missing: { icon: CircleDashed, ink: 'text-warning', said: 'missing' },
  mismatch: { icon: X, ink: 'text-danger', said: 'different' },
  pending: { icon: CircleDashed, ink: 'text-muted', said: 'not looked up yet' },
  not_used: { icon: CircleDashed, ink: 'text-muted', said: 'not used' },
}

const path = '/domains'

type Props = { domains: MailDomain[]; query: Query; now: string }

export function DomainTable({ domains, query, now }: Props) {
  return (
    <Panel flush>
      <Table caption="Mail domains">
        <thead>
          <tr>
            <SortTh {...{ path, query }} column="domain">
              Domain
            </SortTh>
            <SortTh {...{ path, query }} column="status">
              Status
            </SortTh>
            <Th>Records</Th>
            <SortTh {...{ path, query }} column="checked_at" first="down">
              Last checked
            </SortTh>
            <SortTh {...{ path, query }} column="next_check_at">
              Next check
            </SortTh>
          </tr>
        </thead>
        <tbody>
          {domains.map((domain) => (
            <Tr key={domain.domain_id}>
              <Td lead>
                <Link
                  href={`/domains/${domain.domain_id}`}
                  data-row-link
                  className="rounded-xs font-medium wrap-anywhere hover:underline"
                >
                  {domain.domain}
                </Link>
              </Td>
              <Td label="Status">
                <DomainStatus status={domain.status} />
              </Td>
              <Td label="Records">
                <Parts domain={domain} />
              </Td>
              <Td label="Last checked">
                {domain.spf.checked_at ? (
                  <RelativeTime at={domain.spf.checked_at} now={now} />
                ) : (
                  <span className="text-muted">Never</span>
                )}
              </Td>
              <Td label="Next check">
                <RelativeTime at={domain.next_check_at} now={now} />
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

function Parts({ domain }: { domain: MailDomain }) {
  const wanted = PARTS.filter(([, part]) => domain[part].status !== 'not_used')
  const inDns = wanted.filter(([, part]) => domain[part].status === 'found')
  return (
    <ul className="inline-flex flex-wrap gap-x-3 gap-y-1 align-middle">
      {domain.spf.checked_at && (
        <li className="font-medium tabular-nums">
          {inDns.length} of {wanted.length} found
        </li>
      )}
      {PARTS.map(([label, part]) => {
        const { icon: Icon, ink, said } = MARKS[domain[part].status]
        return (
          <li key={part} className="inline-flex items-center gap-1">
            <Icon aria-hidden className={`size-3.5 ${ink}`} />
            {label}
            <span className="sr-only">: {said}</span>
          </li>
        )
      })}
    </ul>
  )
}
