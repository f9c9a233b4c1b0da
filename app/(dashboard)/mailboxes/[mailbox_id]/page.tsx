import { PlugZap } from 'lucide-react'
import type { Metadata } from 'next'
import { Suspense } from 'react'
import { PlacementTests } from '#components/domains/placement-tests'
import { MailboxClock } from '#components/senders/mailbox-clock'
import { MailboxForm } from '#components/senders/mailbox-form'
import { MailboxGrant } from '#components/senders/mailbox-grant'
import { MailboxHealth } from '#components/senders/mailbox-health'
import { MailboxStatus } from '#components/senders/mailbox-status'
import { Outage } from '#components/senders/outage'
import { ActionButton } from '#components/ui/controls/action-button'
import { LinkButton } from '#components/ui/controls/link-button'
import { Callout } from '#components/ui/feedback/callout'
import { LiveRefresh } from '#components/ui/feedback/live-refresh'
import { Skeleton } from '#components/ui/feedback/skeleton'
import { Breadcrumbs } from '#components/ui/layout/breadcrumbs'
import { PageBody, PageHeader } from '#components/ui/layout/page-header'
import { RelativeTime } from '#components/ui/relative-time'
import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { ReadMailboxHealth } from '#lib/contracts/senders/mailbox-health'
import { ReadMailbox, UpdateMailbox } from '#lib/contracts/senders/mailboxes'
import { ReadPlacementTests } from '#lib/contracts/senders/placement-tests'
import { requireUser, type SignedIn } from '#lib/http/session'
import { domainWarnings } from '#lib/services/domains/sender-domains'
import { mailboxHealth } from '#lib/services/forecast/mailbox-health'
import { placementSeeds, placementTests } from '#lib/services/inbox/sent/placement-tests'
import { getMailbox } from '#lib/services/senders/mailboxes'
import { mailboxRampHistory } from '#lib/services/senders/ramp/ramp-history'
import { orNotFound, parseParams } from '../../../page-input.ts'
import { ViewOnly } from '../../view-only.tsx'
import {
  reconnectByOAuth,
  resumeProvider,
  startPlacementTests,
  testMailbox,
  updateMailbox,
} from '../actions.ts'
import { MailboxMembers } from './members.tsx'

export const metadata: Metadata = { title: 'Mailbox' }

export default async function MailboxPage({ params, searchParams }: PageProps<'/mailboxes/[mailbox_id]'>) {
  const user = await requireUser()
  const { mailbox_id } = parseParams(ReadMailbox.params, await params)
  const { connected } = await searchParams
  const now = new Date()
  const mailbox = ReadMailbox.response.parse(await orNotFound(getMailbox(user.workspace_id, mailbox_id, now)))
  const [warning] = await domainWarnings(user.workspace_id, [mailbox], now.getTime())
  return (
    <>
      <PageHeader
        above={<Breadcrumbs items={[{ href: '/mailboxes', label: 'Mailboxes' }]} />}
        title={mailbox.address}
        status={<MailboxStatus status={mailbox.status} />}
        description={
          mailbox.last_checked_at && (
            <>
              Tested <RelativeTime at={mailbox.last_checked_at} now={now.toISOString()} />
            </>
          )
        }
        actions={
          <ActionButton act={testMailbox.bind(null, mailbox_id)}>
            <PlugZap aria-hidden /> Test the connection
          </ActionButton>
        }
      />
      <PageBody>
        {connected && mailbox.status === 'connected' && <Connected />}
        {mailbox.failing_cause && (
          <Outage
            cause={mailbox.failing_cause}
            said={mailbox.last_error}
            next_try_at={mailbox.next_try_at}
            now={now.toISOString()}
          />
        )}
        <SignIn mailbox={mailbox} now={now.toISOString()} />
        <IncomingAndSent mailbox={mailbox} />
        {warning && (
          <Callout
            tone="warning"
            title="The DNS records of its domain need attention"
            action={
              <LinkButton size="sm" href={warning.fix}>
                See the domain
              </LinkButton>
            }
          >
            {warning.message}
          </Callout>
        )}
        <MailboxClock
          mailbox={mailbox}
          past={await mailboxRampHistory(user.workspace_id, mailbox_id, now)}
          now={now.toISOString()}
        />
        <Below user={user} mailbox={mailbox} now={now} />
      </PageBody>
    </>
  )
}

/** Shown after connecting by sign-in, which would otherwise end on this page. */
const Connected = () => (
  <Callout
    tone="success"
    title="The mailbox is connected"
    action={
      <LinkButton size="sm" href="/home">
        Continue at Home
      </LinkButton>
    }
  >
    Campaigns can send from it now.
  </Callout>
)

function SignIn({ mailbox: { mailbox_id, oauth }, now }: { mailbox: Mailbox; now: string }) {
  if (!oauth) return null
  const { vendor, route } = oauth
  const other = route === 'api' ? 'smtp' : 'api'
  return (
    <MailboxGrant
      oauth={oauth}
      now={now}
      reconnect={reconnectByOAuth.bind(null, vendor, mailbox_id, route)}
      reroute={reconnectByOAuth.bind(null, vendor, mailbox_id, other)}
    />
  )
}

function IncomingAndSent({ mailbox }: { mailbox: Mailbox }) {
  return (
    <>
      {mailbox.inbox_error && (
        <Callout tone="danger" title="Replies are not read">
          <p className="wrap-anywhere">{mailbox.inbox_error}</p>
          <p>First emails still go out. Follow-ups wait until replies can be read.</p>
        </Callout>
      )}
      {mailbox.sent_error && (
        <Callout tone="warning" title="Sent emails are not saved in the mailbox">
          They were sent. Copying is retried at the next check: {mailbox.sent_error}
        </Callout>
      )}
    </>
  )
}

type OfMailbox = { user: SignedIn; mailbox_id: string; now: Date }

type BelowProps = { user: SignedIn; mailbox: Mailbox; now: Date }

/** Streamed together: the height of the results is unknown before, and content below them would move. */
function Below({ user, mailbox, now }: BelowProps) {
  const { mailbox_id } = mailbox
  const of = { user, mailbox_id, now }
  return (
    <Suspense fallback={<Skeleton className="h-[40rem] w-full" />}>
      <Health {...of} />
      <Arrivals {...of} />
      <ViewOnly changes={UpdateMailbox}>
        <MailboxForm mailbox={mailbox} save={updateMailbox.bind(null, mailbox_id)} now={now.toISOString()} />
      </ViewOnly>
      <MailboxMembers user={user} mailbox_id={mailbox_id} />
    </Suspense>
  )
}

async function Health({ user, mailbox_id, now }: OfMailbox) {
  const health = await mailboxHealth(user.workspace_id, mailbox_id, now)
  return (
    <MailboxHealth
      health={ReadMailboxHealth.response.parse(health)}
      resume={(provider) => resumeProvider.bind(null, mailbox_id, provider)}
    />
  )
}

async function Arrivals({ user, mailbox_id, now }: OfMailbox) {
  const { items } = ReadPlacementTests.response.parse(
    await placementTests(user.workspace_id, mailbox_id, now),
  )
  return (
    <>
      <LiveRefresh every_seconds={30} active={items.some(({ state }) => state === 'waiting')} />
      <PlacementTests
        tests={items.slice(0, 20)}
        seeds={await placementSeeds(user.workspace_id, mailbox_id)}
        start={startPlacementTests.bind(null, mailbox_id)}
        now={now.toISOString()}
      />
    </>
  )
}
