import Form from 'next/form'
import type { ReactNode } from 'react'
import { FilterChips } from '#components/ui/controls/filter-chips'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { type Query, queryHref } from '#components/ui/query-href'
import { formatDay, loadZone, toDay } from '#lib/domain/calendar/zoned-time'

type Props = {
  path: string
  timezone: string
  now: string
  from: string | null
  to: string | null
  /** Label of the default range. */
  whole: 'all days' | '30 days'
  /** Filters that stay when the dates change. */
  filters?: Query
  /** The form fields of these filters. */
  children?: ReactNode
}

/** The local date of an instant in the results' timezone. */
export const localDate = (at: string, timezone: string) =>
  formatDay(toDay(loadZone(timezone), Date.parse(at)))

/** The date range of the results, in the URL: presets, or any two dates. */
export function ResultsRange({ path, timezone, now, from, to, whole, filters = {}, children }: Props) {
  const today = toDay(loadZone(timezone), Date.parse(now))
  const chip = (label: string, since: string | null) => ({
    href: queryHref(path, filters, { from: since ?? undefined }),
    label,
    current: from === since && to === null,
  })
  return (
    <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
      <FilterChips
        label="Period"
        chips={[
          ...(whole === 'all days'
            ? [
                chip('All days', null),
                chip('Last 7 days', formatDay(today - 6)),
                chip('Last 30 days', formatDay(today - 29)),
              ]
            : [
                chip('Last 7 days', formatDay(today - 6)),
                chip('Last 30 days', null),
                chip('Last 90 days', formatDay(today - 89)),
              ]),
        ]}
      />
      <Form
        action={path}
        scroll={false}
        className="flex flex-wrap items-end gap-2 text-sm max-sm:w-full sm:items-center"
      >
        {children}
        {/* The fields also show dates that were chosen by a chip. */}
        <span className="flex items-end gap-2 max-sm:w-full sm:items-center">
          <DayField key={`from ${from}`} name="from" label="From" day={from} />
          <DayField key={`to ${to}`} name="to" label="To" day={to} />
          <SubmitButton variant="secondary" className="max-sm:h-9">
            Show
          </SubmitButton>
        </span>
      </Form>
    </div>
  )
}

function DayField({ name, label, day }: { name: string; label: string; day: string | null }) {
  return (
    <span className="flex items-center gap-2 max-sm:min-w-28 max-sm:flex-1 max-sm:flex-col max-sm:items-start max-sm:gap-1">
      <label htmlFor={`results-${name}`} className="text-muted">
        {label}
      </label>
      <Input
        id={`results-${name}`}
        type="date"
        name={name}
        defaultValue={day ?? ''}
        className="max-sm:px-1.5 max-sm:text-sm sm:w-36"
      />
    </span>
  )
}
