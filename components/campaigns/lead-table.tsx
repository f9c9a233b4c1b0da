import Link from 'next/link'
import { ExportMenu } from '#components/ui/export-menu'
import { FilterChips } from '#components/ui/filter-chips'
import { Pagination } from '#components/ui/pagination'
import { Panel } from '#components/ui/panel'
import { type Query, queryHref } from '#components/ui/query-href'
import { SearchInput } from '#components/ui/search-input'
import { StatusPill } from '#components/ui/status-pill'
import { Table, Td, Th, Tr } from '#components/ui/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { CampaignLead } from '#lib/contracts/campaign-leads'
import { LEAD_STATUSES, type LeadStatus } from '#lib/domain/campaign-status'
import type { LeadCounts } from './campaign-progress.tsx'

const LOOKS = {
  pending: { tone: 'neutral', mark: 'hollow', label: 'Waiting' },
  active: { tone: 'accent', mark: 'half', label: 'In progress' },
  completed: { tone: 'success', mark: 'check', label: 'Finished' },
  replied: { tone: 'success', mark: 'full', label: 'Replied' },
  bounced: { tone: 'danger', mark: 'cross', label: 'Bounced' },
  unsubscribed: { tone: 'warning', mark: 'cross', label: 'Unsubscribed' },
  failed: { tone: 'danger', mark: 'cross', label: 'Failed' },
  skipped: { tone: 'neutral', mark: 'cross', label: 'Skipped' },
} as const satisfies Record<LeadStatus, Parameters<typeof StatusPill>[0]>

type Props = {
  /** Address of this list, without query. */
  path: string
  exportPath: string
  query: Query
  leads: CampaignLead[]
  total: number
  page: number
  page_size: number
  steps: number
  timezone: string
  counts?: LeadCounts
}

export function LeadTable({
  path,
  exportPath,
  query,
  leads,
  total,
  page,
  page_size,
  steps,
  timezone,
  counts,
}: Props) {
  const chips = [undefined, ...LEAD_STATUSES].map((status) => ({
    href: queryHref(path, query, { status }),
    label: status ? LOOKS[status].label : 'All',
    count: status && counts?.[status],
    current: (query.status || undefined) === status,
  }))
  const here = { page: page > 1 ? page : undefined }
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FilterChips label="Lead status" chips={chips} />
        <div className="flex w-full gap-2 sm:w-auto">
          <SearchInput path={path} query={query} label="Search addresses" className="grow sm:w-64" />
          <ExportMenu path={exportPath} />
        </div>
      </div>
      <Panel flush>
        <Table caption="Leads of the campaign">
          <thead>
            <tr>
              <Th>Lead</Th>
              <Th>Status</Th>
              <Th>Step</Th>
              <Th>Next action</Th>
              <Th>Last event</Th>
            </tr>
          </thead>
          <tbody>
            {leads.map((lead) => (
              <LeadRow
                key={lead.campaign_lead_id}
                lead={lead}
                steps={steps}
                timezone={timezone}
                href={queryHref(path, query, { ...here, lead: lead.campaign_lead_id })}
              />
            ))}
          </tbody>
        </Table>
        {leads.length === 0 && <p className="px-4 py-10 text-center text-sm text-muted">No lead matches.</p>}
        <Pagination path={path} query={query} page={page} page_size={page_size} total={total} noun="leads" />
      </Panel>
    </>
  )
}

type RowProps = { lead: CampaignLead; steps: number; timezone: string; href: string }

function LeadRow({ lead, steps, timezone, href }: RowProps) {
  const name = [lead.data.first_name, lead.data.last_name].filter(Boolean).join(' ')
  return (
    <Tr>
      <Td lead>
        <div className="min-w-0">
          <Link
            href={href}
            scroll={false}
            data-row-link
            className="inline-block min-h-6 rounded-xs wrap-anywhere hover:underline"
          >
            {lead.email ?? `Row ${lead.lead_index + 1}`}
          </Link>
          {name && <p className="text-xs font-normal text-muted">{name}</p>}
        </div>
      </Td>
      <Td label="Status">
        <StatusPill {...LOOKS[lead.status]} />
      </Td>
      <Td label="Step">
        {lead.current_step} / {steps}
      </Td>
      <Td label="Next action">
        {lead.next_action_at ? <ZonedTime at={lead.next_action_at} zone={timezone} /> : '–'}
      </Td>
      <Td label="Last event">
        <div>
          {lead.last_event ? lead.last_event.replaceAll('_', ' ') : '–'}
          {lead.last_event_at && (
            <span className="text-muted">
              {' '}
              · <ZonedTime at={lead.last_event_at} zone={timezone} />
            </span>
          )}
          {lead.reason && <p className="text-xs text-muted">{lead.reason.replaceAll('_', ' ')}</p>}
        </div>
      </Td>
    </Tr>
  )
}
