'use client'

import { clsx } from 'clsx'
import { type ReactNode, useCallback } from 'react'
import { RowTick } from '#components/lists/kept-selection'
import type { RowPage } from '#components/lists/use-row-pages'
import { VirtualTable } from '#components/lists/virtual-table'
import { Link } from '#components/ui/controls/link'
import { type Query, queryHref } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import { leadReasonText } from '#lib/domain/leads/lead-reasons'
import { beforeRoom, cellKey, isLeadColumn, type LeadColumn } from './lead-columns.tsx'
import type { LeadLine } from './lead-line.tsx'
import { LeadStatusPill } from './lead-status.tsx'
import { TickedLeads } from './lead-tick.tsx'
import { words } from './lead-words.tsx'
import { WaitsFor } from './waits-for.tsx'

type Props = {
  path: string
  source: string
  query: Query
  first: RowPage<LeadLine>
  head: ReactNode
  empty: ReactNode
  /** Columns after the lead's identity, in order. */
  columns: readonly string[]
  steps: number
  timezone: string
  isPaused: boolean
  /** Whether leads can be selected. */
  isSelectable: boolean
}

/** The visible part of any number of leads. */
export function LeadRows({ path, source, query, first, head, empty, ...looks }: Props) {
  const { page_size } = first
  const { columns, steps, timezone, isPaused, isSelectable } = looks
  const cells = useCallback(
    (lead: LeadLine, index: number) => {
      const page = Math.floor(index / page_size) + 1
      const href = queryHref(path, query, { page: page > 1 ? page : undefined, lead: lead.campaign_lead_id })
      return <LeadCells {...{ lead, href, columns, steps, timezone, isPaused, isSelectable }} />
    },
    [path, query, page_size, columns, steps, timezone, isPaused, isSelectable],
  )
  return (
    <VirtualTable
      key={source}
      caption="Leads of the campaign"
      noun="leads"
      head={head}
      isWide={columns.some((column) => !isLeadColumn(column))}
      rowHeight={52}
      first={first}
      source={source}
      path={path}
      query={query}
      cells={cells}
      empty={empty}
    />
  )
}

type CellProps = Pick<Props, 'columns' | 'steps' | 'timezone' | 'isPaused' | 'isSelectable'> & {
  lead: LeadLine
  href: string
}

function LeadCells({ lead, href, columns, isSelectable, ...looks }: CellProps) {
  const { email } = lead
  const isWide = columns.some((column) => !isLeadColumn(column))
  return (
    <>
      <td className={isWide ? 'sticky left-0 bg-surface' : undefined}>
        <div className="flex items-center gap-3">
          {isSelectable && (
            <RowTick
              kept={TickedLeads}
              id={lead.campaign_lead_id}
              row={lead}
              label={`Select ${email ?? `row ${lead.lead_index + 1}`}`}
            />
          )}
          <LeadName
            lead={lead}
            href={href}
            isAlone={!isWide}
            hasStatus={columns.includes('status')}
            {...looks}
          />
        </div>
      </td>
      {columns.map((column) =>
        isLeadColumn(column) ? (
          <OwnCell key={column} column={column} lead={lead} room={beforeRoom(column, isWide)} {...looks} />
        ) : (
          <ListCell key={column} value={lead.cells[cellKey(column) ?? '']} />
        ),
      )}
    </>
  )
}

/** A cell of the lead's dataset row. */
const ListCell = ({ value = '' }: { value: string | undefined }) => (
  <td className="truncate" title={value.length > 20 ? value : undefined}>
    {value || '–'}
  </td>
)

type OwnProps = Pick<CellProps, 'lead' | 'steps' | 'timezone' | 'isPaused'> & {
  column: LeadColumn
  room: string | undefined
}

function OwnCell({ column, lead, steps, timezone, isPaused, room }: OwnProps) {
  if (column === 'last_event')
    return (
      <td className={room}>
        <LastEvent lead={lead} timezone={timezone} />
      </td>
    )
  return (
    <td className={clsx('whitespace-nowrap', room)}>
      {column === 'status' && <LeadStatusPill status={lead.status} isPaused={isPaused} />}
      {column === 'step' && `${lead.current_step} / ${steps}`}
      {column === 'next' && (lead.next_at ? <NextAction lead={lead} timezone={timezone} /> : '–')}
    </td>
  )
}

function LastEvent({ lead, timezone }: { lead: LeadLine; timezone: string }) {
  const { last_event, last_event_at, reason, reason_detail, waits_for } = lead
  const why = reason_detail || reason !== last_event ? leadReasonText(lead) : null
  return (
    <>
      <p className="truncate">
        {last_event ? words(last_event) : '–'}
        {last_event_at && (
          <span className="text-muted">
            {' · '}
            <ZonedTime at={last_event_at} zone={timezone} />
          </span>
        )}
      </p>
      {waits_for ? (
        <p className="flex text-xs whitespace-pre text-muted">
          <WaitsFor waits={waits_for} timezone={timezone} />
        </p>
      ) : (
        why && (
          <p className="truncate text-xs text-muted" title={why}>
            {why}
          </p>
        )
      )}
    </>
  )
}

/** The forecast's time; without a forecast, the earliest possible time. */
function NextAction({ lead, timezone }: { lead: LeadLine; timezone: string }) {
  const { next_at, is_planned, is_due } = lead
  if (next_at === null) return null
  if (is_due) return is_planned ? 'now' : 'as soon as limits allow'
  return (
    <>
      {!is_planned && 'earliest '}
      <ZonedTime at={next_at} zone={timezone} />
    </>
  )
}

type NameProps = Pick<CellProps, 'lead' | 'href' | 'steps' | 'timezone' | 'isPaused'> & {
  /** Whether this is the only column on narrow screens. */
  isAlone: boolean
  hasStatus: boolean
}

function LeadName({ lead, href, steps, timezone, isPaused, isAlone, hasStatus }: NameProps) {
  const { email, name, waits_for } = lead
  return (
    <div className="min-w-0 grow">
      <div className="flex items-center justify-between gap-2">
        <Link
          href={href}
          scroll={false}
          prefetch={false}
          data-row-link
          className="block min-h-6 truncate rounded-xs font-medium hover:underline"
        >
          {email ?? `Row ${lead.lead_index + 1}`}
        </Link>
        {isAlone && hasStatus && (
          <span className="shrink-0 md:hidden">
            <LeadStatusPill status={lead.status} isPaused={isPaused} />
          </span>
        )}
      </div>
      <p
        className={clsx(
          'truncate text-xs text-muted',
          isAlone && (waits_for ? 'max-xl:hidden' : 'max-md:hidden'),
        )}
      >
        {name}
      </p>
      {isAlone && (
        <p className={clsx('flex text-xs whitespace-pre text-muted', waits_for ? 'xl:hidden' : 'md:hidden')}>
          <NextInName lead={lead} steps={steps} timezone={timezone} />
        </p>
      )}
    </div>
  )
}

/** Prefers what the lead waits for to its next date, and its name to a step without a date. */
function NextInName({ lead, steps, timezone }: Pick<CellProps, 'lead' | 'steps' | 'timezone'>) {
  const { name, waits_for, next_at } = lead
  if (waits_for) return <WaitsFor waits={waits_for} timezone={timezone} />
  return (
    <span className="truncate">
      Step {lead.current_step} / {steps}
      {next_at ? (
        <>
          {' · '}
          <NextAction lead={lead} timezone={timezone} />
        </>
      ) : (
        name && ` · ${name}`
      )}
    </span>
  )
}
