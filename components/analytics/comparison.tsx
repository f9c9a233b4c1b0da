import type { ReactNode } from 'react'
import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { PlotLine } from '#components/ui/plots/plot-line'
import type { CampaignComparison } from '#lib/contracts/campaigns/campaign-comparison'
import { aheadWords } from './ahead.tsx'
import { percent } from './funnel.ts'
import { TrueRange } from './true-range.tsx'

type Measure = CampaignComparison['measures'][number]
type Day = CampaignComparison['days'][number]
type Side = 'campaign' | 'compare_to'

const SIDES: Side[] = ['campaign', 'compare_to']
const LETTERS = { campaign: 'A', compare_to: 'B' }
const figure = (count: number) => count.toLocaleString('en')

/** Two campaigns side by side: rates, differences and their significance, and the days since launch. */
export function Comparison({ comparison }: { comparison: CampaignComparison }) {
  const { measures, days } = comparison
  const title = 'Side by side'
  return (
    <>
      <Panel title={title} flush>
        <Table caption={title}>
          <thead>
            <tr>
              <Th>Measure</Th>
              {SIDES.map((side) => (
                <Th key={side} numeric>
                  <Name letter={LETTERS[side]} campaign={comparison[side]} />
                </Th>
              ))}
              <Th numeric>Difference</Th>
              <Th>Significance</Th>
            </tr>
          </thead>
          <tbody>
            <Counts label="Messages sent" of={(side) => comparison[side].sent} />
            <Counts label="Leads contacted" of={(side) => comparison[side].contacted} />
            {measures.map((measure) => (
              <MeasureRow key={measure.name} measure={measure} />
            ))}
          </tbody>
        </Table>
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 xl:grid-cols-2">
        <Panel>
          <SinceLaunch
            title="Messages sent, cumulative"
            summary="Days since each launch. A line ends on its last day with a send."
            days={days}
            value={({ sent }) => sent}
          />
        </Panel>
        <Panel>
          <SinceLaunch
            title="Replies per 100 messages sent"
            summary="Of all messages sent up to that day, regardless of when the reply came."
            days={days}
            value={({ sent, replied }) => (sent === 0 ? 0 : Math.round((1000 * replied) / sent) / 10)}
          />
        </Panel>
      </div>
    </>
  )
}

const Name = ({ letter, campaign }: { letter: string; campaign: CampaignComparison['campaign'] }) => (
  <>
    {letter}:{' '}
    <Link
      href={`/campaigns/${campaign.campaign_id}/results`}
      prefetch={false}
      className="wrap-anywhere whitespace-normal text-text hover:underline"
    >
      {campaign.name}
    </Link>
  </>
)

type RowProps = { label: string; of: (side: Side) => ReactNode; difference: string; children: ReactNode }

/** One measure for both campaigns; `children` say whether the difference is significant. */
const Row = ({ label, of, difference, children }: RowProps) => (
  <Tr>
    <Td lead>
      <span className="font-medium">{label}</span>
    </Td>
    {SIDES.map((side) => (
      <Td key={side} label={LETTERS[side]} numeric>
        {of(side)}
      </Td>
    ))}
    <Td label="Difference" numeric>
      {difference}
    </Td>
    <Td label="Significance">{children}</Td>
  </Tr>
)

const Counts = ({ label, of }: { label: string; of: (side: Side) => number }) => (
  <Row
    label={label}
    of={(side) => figure(of(side))}
    difference={signed(of('campaign') - of('compare_to'), figure)}
  >
    <span className="text-muted">–</span>
  </Row>
)

const WORDS: Record<Measure['name'], { label: string; of: string }> = {
  delivered: { label: 'Delivered', of: 'tried' },
  opened: { label: 'Opened', of: 'tracked' },
  clicked: { label: 'Clicked', of: 'tracked' },
  replied: { label: 'Replied', of: 'contacted' },
  interested: { label: 'Interested', of: 'contacted' },
  bounced: { label: 'Bounced', of: 'tried' },
  unsubscribed: { label: 'Unsubscribed', of: 'emailed' },
}

function MeasureRow({ measure }: { measure: Measure }) {
  const { label, of } = WORDS[measure.name]
  const { verdict } = measure
  return (
    <Row
      label={label}
      of={(side) => <RateCell rate={measure[side]} of={of} />}
      difference={verdict ? signed(100 * verdict.difference, (points) => `${points.toFixed(1)} points`) : '–'}
    >
      {verdict ? (
        <span className={verdict.settled ? 'font-medium' : 'text-muted'}>
          {aheadWords(LETTERS[verdict.better], verdict.probability, 'Neither is ahead')}
          {verdict.settled ? ': more than chance.' : '.'}
        </span>
      ) : (
        <span className="text-muted">Not tracked by both campaigns.</span>
      )}
    </Row>
  )
}

function RateCell({ rate, of }: { rate: Measure[Side]; of: string }) {
  if (!rate || rate.rate === null)
    return <span className="text-muted">{rate ? `none ${of} yet` : 'not tracked'}</span>
  return (
    <>
      {percent(rate.rate)}
      <span className="block text-xs text-muted">
        {figure(rate.numerator)} of {figure(rate.denominator)} {of}
      </span>
      <TrueRange rate={rate} />
    </>
  )
}

function signed(value: number, words: (value: number) => string): string {
  const size = words(Math.abs(value))
  if (size === words(0)) return size
  return `${value > 0 ? '+' : '−'}${size}`
}

type Sums = NonNullable<Day[Side]>

/** Cumulative counts per day since launch; each line is as long as its campaign. */
function SinceLaunch({
  title,
  summary,
  days,
  value,
}: {
  title: string
  summary: string
  days: Day[]
  value: (sums: Sums) => number
}) {
  const so_far = { campaign: { sent: 0, replied: 0 }, compare_to: { sent: 0, replied: 0 } }
  const points = days.map((day) => ({
    label: `Day ${day.day}`,
    values: SIDES.map((side) => {
      const own = day[side]
      if (!own) return undefined
      const sums = so_far[side]
      sums.sent += own.sent
      sums.replied += own.replied
      return value(sums)
    }),
  }))
  return <PlotLine title={title} summary={summary} series={['A', 'B']} points={points} />
}
