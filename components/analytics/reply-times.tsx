import { PlotBar } from '#components/ui/plots/plot-bar'
import type { WorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'

type ReplyHours = WorkspaceAnalytics['reply_hours']

const HOURS_A_DAY = 24

/** How long people took to reply: the quantiles in words, and how many took how long. */
export function ReplyTimes({ reply_hours: { median, p75, p90, buckets } }: { reply_hours: ReplyHours }) {
  const words =
    median === null || p75 === null || p90 === null
      ? 'Nobody has replied yet.'
      : `Half of the replies came within ${hoursInWords(median)}, 3 of 4 within ${hoursInWords(p75)}, 9 of 10 within ${hoursInWords(p90)}.`
  return (
    <PlotBar
      title="Time to reply"
      summary={`${words} From the last message before it; absence notices and bounces do not count.`}
      series={['replies']}
      points={buckets.map(({ from, to, replies }) => ({ label: bucketLabel(from, to), values: [replies] }))}
    />
  )
}

function bucketLabel(from: number, to: number | null): string {
  if (to === null) return `> ${from / HOURS_A_DAY} d`
  if (from === 0) return `< ${to} h`
  return to <= HOURS_A_DAY ? `${from}–${to} h` : `${from / HOURS_A_DAY}–${to / HOURS_A_DAY} d`
}

export function hoursInWords(hours: number): string {
  if (hours < 1) return `${Math.max(1, Math.round(60 * hours))} min`
  return hours < 2 * HOURS_A_DAY ? `${Math.round(hours)} h` : `${Math.round(hours / HOURS_A_DAY)} days`
}
