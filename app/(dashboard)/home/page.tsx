import type { Metadata } from 'next'
import { FirstSteps } from '#components/home/first-steps'
import { ProblemList } from '#components/home/problem-list'
import { RunningCampaigns } from '#components/home/running-campaigns'
import { LinkButton } from '#components/ui/link-button'
import { LiveRefresh } from '#components/ui/live-refresh'
import { PageBody, PageHeader } from '#components/ui/page-header'
import { Panel } from '#components/ui/panel'
import { PlotBar } from '#components/ui/plot-bar'
import { Stat, StatRow } from '#components/ui/stat'
import { Campaign } from '#lib/contracts/campaigns'
import { requireUser } from '#lib/http/session'
import { readHome } from '#lib/services/home'
import { countSamples } from '#lib/services/sample-removal'
import { timezoneOf } from '#lib/services/users'
import { whysOf } from '../campaigns/whys.ts'
import { SampleButton } from '../samples/sample-button.tsx'
import { firstStepsOf } from './first-steps.tsx'
import { problemsOf } from './problems.ts'
import { SampleNote } from './sample-note.tsx'

export const metadata: Metadata = { title: 'Home' }

export default async function HomePage() {
  const user = await requireUser()
  const now = new Date()
  const [{ hours, endings, problems, first_steps, running, draft }, zone, samples] = await Promise.all([
    readHome(user.user_id, now),
    timezoneOf(user.user_id),
    countSamples(user.user_id),
  ])
  const campaigns = running.map((campaign) => Campaign.parse(campaign))
  const hour = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone: zone })
  const hasBegun = first_steps.has_launched || campaigns.length > 0
  const sent = hours.reduce((sum, one) => sum + one.sent, 0)
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          <LinkButton variant="primary" href="/campaigns/new">
            New campaign
          </LinkButton>
        }
      />
      <PageBody>
        {!first_steps.has_launched && (
          <FirstSteps
            steps={firstStepsOf(first_steps, draft)}
            sample={
              samples === 0 &&
              !first_steps.has_campaign && <SampleButton kind="campaign">Add sample data</SampleButton>
            }
          />
        )}
        <ProblemList problems={problemsOf(problems)} />
        {hasBegun && (
          <StatRow>
            <Stat label="Sent" value={sent.toLocaleString('en')} detail="in the last 24 hours" />
            <Stat
              label="Replied"
              value={endings.replied.toLocaleString('en')}
              detail="in the last 24 hours"
            />
            <Stat
              label="Bounced"
              value={endings.bounced.toLocaleString('en')}
              detail="in the last 24 hours"
            />
            <Stat
              label="Unsubscribed"
              value={endings.unsubscribed.toLocaleString('en')}
              detail="in the last 24 hours"
            />
          </StatRow>
        )}
        {hasBegun && (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            <RunningCampaigns
              campaigns={campaigns}
              now={now.toISOString()}
              whys={await whysOf(user.user_id, campaigns, now)}
            />
            <Panel>
              <PlotBar
                title="Sent in the last 24 hours"
                summary={`${sent.toLocaleString('en')} ${sent === 1 ? 'message' : 'messages'} left; hours are those of ${zone}.`}
                series={['sent']}
                points={hours.map((one) => ({ label: hour.format(one.from), values: [one.sent] }))}
              />
            </Panel>
          </div>
        )}
        <LiveRefresh every_seconds={5} active={running.length > 0 || first_steps.is_importing} />
        {samples > 0 && <SampleNote />}
      </PageBody>
    </>
  )
}
