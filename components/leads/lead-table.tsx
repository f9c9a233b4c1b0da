import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { type ColumnChoice, ColumnChooser } from '#components/lists/column-chooser'
import { SortTh } from '#components/lists/sort-th'
import type { RowPage } from '#components/lists/use-row-pages'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { LinkButton } from '#components/ui/controls/link-button'
import { SearchInput } from '#components/ui/controls/search-input'
import { Panel } from '#components/ui/layout/panel'
import { Th } from '#components/ui/layout/table'
import { ExportMenu } from '#components/ui/overlays/export-menu'
import { type Query, queryHref } from '#components/ui/query-href'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { LeadStatus } from '#lib/domain/campaigns/campaign-status'
import { countStates, LEAD_STATES } from '#lib/domain/leads/lead-states'
import { beforeRoom, isLeadColumn, LEAD_COLUMNS, type LeadColumn } from './lead-columns.tsx'
import type { LeadLine } from './lead-line.tsx'
import { LeadRows } from './lead-rows.tsx'
import { type LeadActs, LeadSelection } from './lead-selection.tsx'
import { leadStatusLabel, STATE_LABELS } from './lead-status.tsx'

const NONE = { state: undefined, status: undefined, waiting: undefined }

type Props = {
  campaign: Campaign
  /** Filters, search and sort order from the URL, without the page. */
  query: Query & { status?: LeadLine['status'] | undefined }
  first: RowPage<LeadLine>
  counts: Record<LeadStatus, number>
  /** How many leads wait for a person or another campaign. */
  waiting: number
  choice?: ColumnChoice
  /** Button to add leads. */
  add?: ReactNode
  /** Given if several leads can be stopped or suppressed at once. */
  acts?: LeadActs
}

export function LeadTable({ campaign, query, first, counts, waiting, choice, add, acts }: Props) {
  const { campaign_id, status, timezone } = campaign
  const path = `/campaigns/${campaign_id}/leads`
  const { sort: _, ...filters } = query
  const isFiltered = Object.values(filters).some(Boolean)
  const columns = choice?.shown ?? LEAD_COLUMNS
  const source = queryHref(`${path}/rows`, query, {})
  const table = (
    <Panel flush>
      <LeadRows
        path={path}
        source={source}
        query={query}
        first={first}
        columns={columns}
        head={<Head path={path} query={query} columns={columns} choice={choice} />}
        empty={<NoLead path={path} />}
        steps={campaign.steps_config.length}
        timezone={timezone}
        isPaused={status === 'paused'}
        isSelectable={acts !== undefined}
      />
    </Panel>
  )
  return (
    <>
      <div className="flex flex-wrap items-center justify-between gap-3">
        <FilterChips label="Lead status" chips={buildChips(path, query, { counts, waiting }, status)} />
        <div className="flex w-full flex-wrap gap-2 sm:w-auto">
          <SearchInput path={path} query={query} label="Search leads" className="grow sm:w-64" />
          {choice && <ColumnChooser choice={choice} />}
          <ExportMenu
            path={queryHref(`/campaigns/${campaign_id}/export`, filters, {})}
            label={isFiltered ? 'Export these' : 'Export'}
          />
          {add}
        </div>
      </div>
      {acts ? (
        <LeadSelection key={source} acts={acts} total={first.total}>
          {table}
        </LeadSelection>
      ) : (
        table
      )}
    </>
  )
}

/**
 * One filter per state, one for waiting leads if there are any, and one for a single status in the URL, so
 * that it can be removed.
 */
function buildChips(
  path: string,
  query: Props['query'],
  { counts, waiting }: Pick<Props, 'counts' | 'waiting'>,
  status: Campaign['status'],
) {
  const states = countStates(counts, status)
  const all = {
    href: queryHref(path, query, NONE),
    label: 'All',
    count: Object.values(counts).reduce((sum, one) => sum + one, 0),
  }
  const own = query.status && {
    href: queryHref(path, query, {}),
    label: leadStatusLabel(query.status),
    count: counts[query.status],
    current: true,
  }
  return [
    { ...all, current: !query.state && !query.status && !query.waiting },
    ...LEAD_STATES.map((state) => ({
      href: queryHref(path, query, { ...NONE, state }),
      label: STATE_LABELS[state],
      count: states[state],
      current: query.state === state && !query.status,
    })),
    ...(waiting > 0 || query.waiting
      ? [
          {
            href: queryHref(path, query, { ...NONE, waiting: 'true' }),
            label: 'Waiting',
            count: waiting,
            current: query.waiting === 'true',
          },
        ]
      : []),
    ...(own ? [own] : []),
  ]
}

type HeadProps = {
  path: string
  query: Query
  columns: readonly string[]
  choice: ColumnChoice | undefined
}

function Head({ path, query, columns, choice }: HeadProps) {
  const labels = new Map(choice?.all.map(({ key, label }) => [key, label]))
  const isWide = columns.some((column) => !isLeadColumn(column))
  return (
    <tr>
      <SortTh
        {...{ path, query }}
        column="email"
        className={isWide ? 'sticky left-0 w-64 bg-surface max-sm:w-44' : undefined}
      >
        Lead
      </SortTh>
      {columns.map((column) =>
        isLeadColumn(column) ? (
          <OwnHead key={column} column={column} sorts={{ path, query }} isWide={isWide} />
        ) : (
          <Th key={column} className="w-40 truncate">
            {labels.get(column) ?? column}
          </Th>
        ),
      )}
    </tr>
  )
}

type OwnHeadProps = { column: LeadColumn; sorts: { path: string; query: Query }; isWide: boolean }

function OwnHead({ column, sorts, isWide }: OwnHeadProps) {
  const room = beforeRoom(column, isWide)
  if (column === 'status') return <Th className={clsx('w-36', room)}>Status</Th>
  if (column === 'step') return <Th className={clsx('w-20', room)}>Step</Th>
  if (column === 'next')
    return (
      <SortTh {...sorts} column="next_action_at" className={clsx('w-48', room)}>
        Next
      </SortTh>
    )
  return (
    <SortTh {...sorts} column="last_event_at" first="down" className={clsx(isWide ? 'w-72' : 'w-1/3', room)}>
      Last event
    </SortTh>
  )
}

function NoLead({ path }: { path: string }) {
  return (
    <div className="grid justify-items-center gap-3 px-4 py-10 text-sm">
      <p className="text-muted">No leads match these filters.</p>
      <LinkButton href={path}>Show all leads</LinkButton>
    </div>
  )
}
