import { Panel } from '#components/ui/layout/panel'

const LONG_DAY = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  timeZone: 'UTC',
})

/** Upcoming days without sending, with their local names. */
export function NextHolidays({ holidays }: { holidays: { date: string; name: string }[] }) {
  if (holidays.length === 0) return null
  return (
    <Panel title="Next holidays" description="Nothing is sent on these days.">
      <ul className="grid gap-1 text-sm">
        {holidays.map(({ date, name }) => (
          <li key={date} className="flex flex-wrap justify-between gap-x-4">
            <span className="min-w-0 wrap-anywhere">{name}</span>
            <span className="text-muted">{LONG_DAY.format(new Date(`${date}T00:00Z`)).replace(',', '')}</span>
          </li>
        ))}
      </ul>
    </Panel>
  )
}
