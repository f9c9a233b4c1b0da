import { Stat, StatRow } from '#components/ui/feedback/stat'
import { Panel } from '#components/ui/layout/panel'
import { PlotLine } from '#components/ui/plots/plot-line'
import { ZonedTime } from '#components/ui/zoned-time'
import type { SocialPost, SocialPostMetrics } from '#lib/contracts/posts/social-posts'

type Props = { post: SocialPost; history: SocialPostMetrics[]; timezone: string }

/** The network's counts, now and over time; `history` is newest first. */
export function PostMetrics({ post, history, timezone }: Props) {
  const { impressions, reactions, comments, reposts, metrics_updated_at } = post
  const figures = { Impressions: impressions, Reactions: reactions, Comments: comments, Reposts: reposts }
  const detail = metrics_updated_at ? undefined : 'not counted yet'
  return (
    <>
      <StatRow>
        {Object.entries(figures).map(([label, value]) => (
          <Stat
            key={label}
            label={label}
            value={metrics_updated_at ? value.toLocaleString('en') : '–'}
            detail={detail}
          />
        ))}
      </StatRow>
      <Panel
        title="Since publication"
        description={
          metrics_updated_at ? (
            <>
              Last counted <ZonedTime at={metrics_updated_at} zone={timezone} />. Hourly for two days, then
              daily, for thirty days.
            </>
          ) : (
            'Counted hourly for two days, then daily for thirty days. The first count is after an hour.'
          )
        }
      >
        {history.length > 1 ? (
          <Plots history={history.toReversed()} timezone={timezone} />
        ) : (
          <p className="text-sm text-muted">The chart appears after the second count.</p>
        )}
      </Panel>
    </>
  )
}

const DAY_MS = 86_400_000

function Plots({ history, timezone }: { history: SocialPostMetrics[]; timezone: string }) {
  const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: timezone })
  const hour = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: timezone,
  })
  const [from, to] = [history[0], history.at(-1)].map((counts) => Date.parse(counts?.at ?? ''))
  const span = Math.max(1, (to ?? 0) - (from ?? 0))
  // A missing count keeps its previous value, since counts only grow.
  const points = (of: (counts: SocialPostMetrics) => (number | null)[]) => {
    let known: number[] = []
    return history.map((counts) => {
      known = of(counts).map((value, index) => value ?? known[index] ?? 0)
      const at = new Date(counts.at)
      return {
        label: hour.format(at),
        ...(span > DAY_MS && { mark: day.format(at) }),
        along: (at.getTime() - (from ?? 0)) / span,
        values: known,
      }
    })
  }
  const last = history.at(-1)
  const sum = (value: number | null | undefined) => (value ?? 0).toLocaleString('en')
  return (
    <div className="grid gap-6 lg:grid-cols-2">
      <PlotLine
        title="Impressions"
        summary={`${sum(last?.impressions)} at the last count.`}
        series={['Impressions']}
        points={points(({ impressions }) => [impressions])}
      />
      <PlotLine
        title="Engagement"
        summary={`${sum(last?.reactions)} reactions, ${sum(last?.comments)} comments and ${sum(last?.reposts)} reposts at the last count.`}
        series={['Reactions', 'Comments', 'Reposts']}
        points={points(({ reactions, comments, reposts }) => [reactions, comments, reposts])}
      />
    </div>
  )
}
