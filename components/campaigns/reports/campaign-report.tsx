import { ResultSummary } from '#components/analytics/results'
import { EmptyState } from '#components/ui/feedback/empty-state'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { CampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { type Period, reportPeriods } from '#lib/domain/analytics/report-periods'
import { CampaignStatus } from '../campaign-status.tsx'

export type ReportedCampaign = {
  campaign_id: string
  name: string
  status: Campaign['status']
  analytics: CampaignAnalytics
  /** Names of people who replied; null if the link does not show them. */
  names: string[] | null
}

/** The results of one campaign in a report, on screen and on paper. */
export function CampaignReport({ name, status, analytics, names }: ReportedCampaign) {
  return (
    <section className="grid gap-4" aria-label={name}>
      <h2 className="flex flex-wrap items-center gap-2 text-lg font-semibold wrap-anywhere">
        {name} <CampaignStatus status={status} />
      </h2>
      {analytics.leads.contacted > 0 ? (
        <>
          <ResultSummary analytics={analytics} />
          <PeriodTable periods={reportPeriods(analytics.days)} timezone={analytics.timezone} />
          {names && <Names names={names} replied={analytics.leads.replied} />}
        </>
      ) : (
        <Panel>
          <EmptyState
            title="Nothing was sent yet"
            description="Figures appear once the first message is sent."
          />
        </Panel>
      )}
    </section>
  )
}

const figure = (count: number) => count.toLocaleString('en')

const dayName = (date: string, style: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', ...style, timeZone: 'UTC' })
    .format(new Date(`${date}T00:00Z`))
    .replace(',', '')

const periodName = ({ from, to }: Period) =>
  from === to
    ? dayName(from, { weekday: 'short', year: 'numeric' })
    : `${dayName(from, {})} – ${dayName(to, { year: 'numeric' })}`

function PeriodTable({ periods, timezone }: { periods: Period[]; timezone: string }) {
  const isByWeek = periods.some(({ from, to }) => from !== to)
  return (
    <Panel
      title={isByWeek ? 'By week' : 'By day'}
      description={`Days follow the sending window in ${timezone}. A reply, bounce or unsubscribe counts on the day its message was sent.`}
      flush
    >
      <Table caption={isByWeek ? 'Results by week' : 'Results by day'}>
        <thead>
          <tr>
            <Th>{isByWeek ? 'Week' : 'Day'}</Th>
            <Th numeric>Sent</Th>
            <Th numeric>Bounced</Th>
            <Th numeric>Replied</Th>
            <Th numeric>Unsubscribed</Th>
          </tr>
        </thead>
        <tbody>
          {periods.map((period) => (
            <Tr key={period.from}>
              <Td lead>{periodName(period)}</Td>
              <Td label="Sent" numeric>
                {figure(period.sent)}
              </Td>
              <Td label="Bounced" numeric>
                {figure(period.bounced)}
              </Td>
              <Td label="Replied" numeric>
                {figure(period.replied)}
              </Td>
              <Td label="Unsubscribed" numeric>
                {figure(period.unsubscribed)}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

function Names({ names, replied }: { names: string[]; replied: number }) {
  const unnamed = replied - names.length
  return (
    <Panel title="People who replied">
      {names.length > 0 && (
        <ul className="columns-2 gap-4 text-sm sm:columns-3">
          {names.map((name, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: two people may share a name, and the list never moves
            <li key={index} className="break-inside-avoid wrap-anywhere">
              {name}
            </li>
          ))}
        </ul>
      )}
      {(unnamed > 0 || names.length === 0) && (
        <p className="mt-2 text-sm text-muted first:mt-0">
          {replied === 0 ? 'Nobody yet.' : `${figure(unnamed)} more without a name here.`}
        </p>
      )}
    </Panel>
  )
}
