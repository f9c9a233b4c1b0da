import { Link } from '#components/ui/controls/link'

export type SenderDay = { href: string; name: string; planned: number[] }

const BAR_PX = 8
const HEIGHT_PX = 24
/** Every how many hours the axis has a label. */
const MARK_EVERY = 6

/** The planned sends of each sender by hour: a small chart per row with its total. */
export function NextDayStrip({ senders, hours }: { senders: SenderDay[]; hours: string[] }) {
  const tallest = Math.max(1, ...senders.flatMap(({ planned }) => planned))
  return (
    <table className="w-full text-sm">
      <thead>
        <tr className="border-b border-border text-2xs text-muted">
          <th scope="col" className="py-1.5 pl-4 text-left font-medium">
            Sender
          </th>
          <th scope="col" className="px-3 font-normal">
            <span className="sr-only">By hour</span>
            <span aria-hidden className="flex">
              {hours
                .filter((_, index) => index % MARK_EVERY === 0)
                .map((hour) => (
                  <span key={hour} className="min-w-0 flex-1 text-left">
                    {hour}
                  </span>
                ))}
            </span>
          </th>
          <th scope="col" className="pr-4 text-right font-medium">
            Total
          </th>
        </tr>
      </thead>
      <tbody>
        {senders.map(({ href, name, planned }) => {
          const sum = planned.reduce((total, count) => total + count, 0)
          return (
            <tr key={href} className="border-b border-border last:border-0">
              <th scope="row" className="max-w-0 py-2 pl-4 text-left font-normal">
                <Link href={href} className="block truncate rounded-xs hover:underline">
                  {name}
                </Link>
              </th>
              <td className="w-52 px-3">
                <Bars planned={planned} tallest={tallest} hours={hours} />
              </td>
              <td className="w-16 pr-4 text-right font-medium">{sum.toLocaleString('en')}</td>
            </tr>
          )
        })}
      </tbody>
    </table>
  )
}

function Bars({ planned, tallest, hours }: { planned: number[]; tallest: number; hours: string[] }) {
  const first = planned.findIndex((count) => count > 0)
  const last = planned.findLastIndex((count) => count > 0)
  const label = first < 0 ? 'Nothing planned' : `From ${hours[first]} to ${hours[last]}`
  const width = planned.length * BAR_PX
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${width} ${HEIGHT_PX}`}
      className="h-6 w-full text-plot-1"
      preserveAspectRatio="none"
    >
      <title>{label}</title>
      {planned.map((count, hour) => {
        const height = count === 0 ? 1 : Math.max(3, (count / tallest) * HEIGHT_PX)
        return (
          <rect
            key={hours[hour]}
            x={hour * BAR_PX + 1}
            width={BAR_PX - 2}
            y={HEIGHT_PX - height}
            height={height}
            fill="currentColor"
            opacity={count === 0 ? 0.35 : 1}
          />
        )
      })}
    </svg>
  )
}
