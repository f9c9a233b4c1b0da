import type { Metadata } from 'next'
import { Suspense } from 'react'
import { FirstSteps } from '#components/home/first-steps'
import { ProblemList } from '#components/home/problem-list'
import { isQuietDay } from '#components/home/quiet-day'
import { RunningCampaigns } from '#components/home/running-campaigns'
import { WaitingReplies } from '#components/home/waiting-replies'
import { ChangingLink } from '#components/ui/controls/changing-link'
import type { Lock } from '#components/ui/controls/lock'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Stat, StatRow } from '#components/ui/feedback/stat'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { Panel } from '#components/ui/layout/panel'
import { Campaign } from '#lib/contracts/campaigns/campaign'
import { ListInboxThreads } from '#lib/contracts/inbox/inbox'
import { TestMailbox } from '#lib/contracts/senders/mailboxes'
import { requireUser, type SignedIn } from '#lib/http/session'
import { readHome } from '#lib/services/campaigns/home'
import { listInboxThreads } from '#lib/services/inbox/threads'
import { countSamples } from '#lib/services/sandbox/removal'
import { hasOnlySandbox } from '#lib/services/senders/sandbox-mailbox'
import { workspaceTimezone } from '#lib/services/workspaces/users'
import { loadReason, loadReasons } from '../campaigns/whys.ts'
import { SampleStart } from '../samples/sample-results.tsx'
import { findLock, findOthersWork, WorkLock } from '../section-lock.tsx'
import { listFirstSteps, listNextSteps } from './first-steps.tsx'
import { DayAround, NextDay } from './next-day.tsx'
import { listProblems } from './problems.ts'
import { SampleNote } from './sample-note.tsx'

export const metadata: Metadata = { title: 'Home' }

const WAITING = ListInboxThreads.query.parse({ folder: 'needs_answer', page_size: 5 })

/** Placeholders with the size of the content. */
const PLOT = (
  <Panel>
    <Skeleton className="h-67" />
  </Panel>
)
const STRIP = (
  <Panel title="Next 24 hours">
    <Skeleton className="h-24" />
  </Panel>
)

export default async function HomePage() {
  const user = await requireUser()
  const now = new Date()
  const [home, zone, samples, replies, senderLock, isSandboxOnly] = await Promise.all([
    readHome(user.workspace_id, now),
    workspaceTimezone(user.workspace_id),
    countSamples(user.workspace_id),
    listInboxThreads(user, WAITING, now),
    findLock(TestMailbox),
    hasOnlySandbox(user.workspace_id),
  ])
  const { hours, endings, problems, first_steps, next_steps, running, draft } = home
  const waiting = ListInboxThreads.response.parse(replies)
  const campaigns = running.map((campaign) => Campaign.parse(campaign))
  const hasBegun = first_steps.has_launched || campaigns.length > 0
  const day = { workspaceId: user.workspace_id, now, zone }
  const isQuiet = isQuietDay(home, now)
  return (
    <>
      <PageHeader
        title="Home"
        actions={
          <ChangingLink variant={hasBegun && !next_steps ? 'primary' : 'secondary'} href="/campaigns/new">
            New campaign
          </ChangingLink>
        }
      />
      <PageBody>
        {!first_steps.has_launched && (
          <FirstSteps
            steps={listFirstSteps(first_steps, draft, senderLock, isSandboxOnly)}
            sample={
              samples === 0 && !first_steps.has_campaign && <SampleStart workspaceId={user.workspace_id} />
            }
          />
        )}
        {next_steps && <NextSteps workspaceId={user.workspace_id} next={next_steps} now={now.getTime()} />}
        <Problems user={user} found={problems} senderLock={senderLock} />
        {hasBegun && <Figures sent={hours.reduce((sum, one) => sum + one.sent, 0)} endings={endings} />}
        {hasBegun && (
          <div className="grid grid-cols-[minmax(0,1fr)] items-start gap-4 lg:grid-cols-2">
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              {!isQuiet && <Around {...day} sent={hours} />}
              <RunningCampaigns
                campaigns={campaigns}
                now={now.toISOString()}
                whys={await loadReasons(user.workspace_id, campaigns, now)}
              />
            </div>
            <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
              <WaitingReplies threads={waiting.items} total={waiting.total} now={now.toISOString()} />
              {!isQuiet && <Ahead {...day} />}
            </div>
          </div>
        )}
        <LiveRefresh every_seconds={5} active={running.length > 0 || first_steps.is_importing} watch="home" />
        {samples > 0 && <SampleNote />}
      </PageBody>
    </>
  )
}

const Around = (props: Parameters<typeof DayAround>[0]) => (
  <Suspense fallback={PLOT}>
    <DayAround {...props} />
  </Suspense>
)

const Ahead = (props: Parameters<typeof NextDay>[0]) => (
  <Suspense fallback={STRIP}>
    <NextDay {...props} />
  </Suspense>
)

type Next = { workspaceId: string; next: Parameters<typeof listNextSteps>[0]; now: number }

async function NextSteps({ workspaceId, next, now }: Next) {
  const why = await loadReason(workspaceId, next.campaign.campaign_id, now)
  return (
    <WorkLock work={{ name: 'campaign_id', id: next.campaign.campaign_id }}>
      <FirstSteps title="What comes next" steps={listNextSteps(next, now, why)} />
    </WorkLock>
  )
}

/** Figures of the last 24 hours. */
function Figures({
  sent,
  endings,
}: { sent: number } & Pick<Awaited<ReturnType<typeof readHome>>, 'endings'>) {
  return (
    <StatRow>
      <Stat label="Sent" value={sent.toLocaleString('en')} detail="in the last 24 hours" />
      <Stat label="Replied" value={endings.replied.toLocaleString('en')} detail="in the last 24 hours" />
      <Stat label="Bounced" value={endings.bounced.toLocaleString('en')} detail="in the last 24 hours" />
      <Stat
        label="Unsubscribed"
        value={endings.unsubscribed.toLocaleString('en')}
        detail="in the last 24 hours"
      />
    </StatRow>
  )
}

type Found = { user: SignedIn; found: Parameters<typeof listProblems>[0]; senderLock: Lock | null }

async function Problems({ user, found, senderLock }: Found) {
  const halted = found.halted.map(({ campaign_id }) => campaign_id)
  const others = await findOthersWork(user, 'campaign_id', halted)
  return <ProblemList problems={listProblems(found)} senderLock={senderLock} others={others} />
}
