import { SortTh } from '#components/lists/sort-th'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { ReportLink } from '#lib/contracts/campaigns/report-links'

/** The column's name in the URL, its heading, and its initial sort direction. */
const COLUMNS: [column: string | null, label: string, first?: 'down'][] = [
  ['name', 'Name'],
  [null, 'Campaigns'],
  ['open_count', 'Opened', 'down'],
  ['last_opened_at', 'Last opened', 'down'],
  ['expires_at', 'Expires'],
]

type TableProps = {
  links: ReportLink[]
  /** Given if the list can be sorted. */
  sorting?: { path: string; query: Query }
}
type Row = { zone: string; now: string; revoke: (id: string) => Promise<FormResult> }

/** Existing links, with how often each was opened. */
export function ReportLinkTable({ links, sorting, ...row }: Row & TableProps) {
  return (
    <Table caption="Report links">
      <thead>
        <tr>
          {COLUMNS.map(([column, label, first]) =>
            sorting && column ? (
              <SortTh key={label} {...sorting} column={column} first={first} numeric={label === 'Opened'}>
                {label}
              </SortTh>
            ) : (
              <Th key={label} numeric={label === 'Opened'}>
                {label}
              </Th>
            ),
          )}
          <Th>
            <span className="sr-only">Actions</span>
          </Th>
        </tr>
      </thead>
      <tbody>
        {links.map((link) => (
          <LinkRow key={link.report_link_id} link={link} {...row} />
        ))}
      </tbody>
    </Table>
  )
}

function LinkRow({ link, zone, now, revoke }: Row & { link: ReportLink }) {
  const { name, campaigns, show_names, open_count, last_opened_at, expires_at } = link
  return (
    <Tr>
      <Td lead>
        <span className="wrap-anywhere">{name}</span>
        {show_names && <span className="block text-xs font-normal text-muted">with names</span>}
      </Td>
      <Td label="Campaigns">
        {campaigns.length === 0 ? <Badge>Deleted</Badge> : <Campaigns campaigns={campaigns} />}
      </Td>
      <Td label="Opened" numeric>
        {open_count.toLocaleString('en')}
      </Td>
      <Td label="Last opened">
        {last_opened_at ? (
          <RelativeTime at={last_opened_at} now={now} zone={zone} />
        ) : (
          <span className="text-muted">Never</span>
        )}
      </Td>
      <Td label="Expires">
        {expires_at <= now ? <Badge>Expired</Badge> : <ZonedTime at={expires_at} zone={zone} style="date" />}
      </Td>
      <Td className="w-px text-right whitespace-nowrap">
        <ActionButton
          size="sm"
          act={revoke.bind(null, link.report_link_id)}
          aria-label={`Revoke ${name}`}
          confirm={{
            title: `Revoke the link “${name}”?`,
            description: 'The link stops working immediately for everyone. This cannot be undone.',
            label: 'Revoke link',
            danger: true,
          }}
        >
          Revoke
        </ActionButton>
      </Td>
    </Tr>
  )
}

function Campaigns({ campaigns: [first, ...others] }: Pick<ReportLink, 'campaigns'>) {
  return (
    <span className="wrap-anywhere">
      {first?.name}
      {others.length > 0 && <span className="text-muted"> and {others.length} more</span>}
    </span>
  )
}
