import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { type Leave, LeaveButton } from '#components/ui/controls/leave-button'
import { Callout } from '#components/ui/feedback/callout'
import { Disclosure } from '#components/ui/layout/disclosure'
import { Panel } from '#components/ui/layout/panel'
import { PlotLine } from '#components/ui/plots/plot-line'
import { RelativeTime } from '#components/ui/relative-time'
import type { PostmasterSummary } from '#lib/contracts/domains/postmaster'
import { percent, SPAM_HIGH, SPAM_TOO_HIGH } from '#lib/domain/domains/counted/postmaster'
import { everyDay } from '../ui/plots/every-day.ts'
import { shortDay } from '../ui/plots/short-day.ts'

type Act = () => Promise<FormResult>
type Props = { summary: PostmasterSummary; now: string; connect: Leave; disconnect: Act }

/** Gmail's statistics for a domain, compared with Google's limits. */
export function Postmaster({ summary, now, connect, disconnect }: Props) {
  const { account, days, spam, vendor } = summary
  return (
    <Panel
      title="Gmail: Postmaster Tools, 30 days"
      description="Google’s figures for email from this domain to Gmail, one or two days behind."
      action={
        account && (
          <ActionButton
            size="sm"
            act={disconnect}
            confirm={{
              title: 'Disconnect Postmaster Tools?',
              description: 'The data read so far is deleted for all domains. Google keeps its own.',
              label: 'Disconnect',
              danger: true,
            }}
          >
            Disconnect
          </ActionButton>
        )
      }
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {account?.vendor === 'sandbox' && (
          <Callout title="These figures are made up">
            This instance has no Google OAuth client, so the sandbox stands in for it.
          </Callout>
        )}
        {spam?.warning && (
          <Callout tone={spam.level === 'too_high' ? 'danger' : 'warning'} title="Spam rate too high">
            {spam.warning}
          </Callout>
        )}
        {account ? (
          <Reading summary={summary} now={now} connect={connect} />
        ) : (
          <NotConnected vendor={vendor} connect={connect} />
        )}
        {days.length > 0 && <Plots days={days} />}
        {vendor === 'google' && <ForOperators {...summary} />}
      </div>
    </Panel>
  )
}

function NotConnected({ vendor, connect }: Pick<PostmasterSummary, 'vendor'> & Pick<Props, 'connect'>) {
  if (vendor === null)
    return (
      <p className="max-w-prose text-muted text-sm">
        This instance has no Google OAuth client. Its operator can register one.
      </p>
    )
  return (
    <>
      <p className="max-w-prose text-muted text-sm">
        {vendor === 'google'
          ? 'Add and verify the domain at postmaster.google.com first. Then sign in with the Google account that owns it. Opener reads its figures twice a day and nothing else.'
          : 'This instance has no Google OAuth client. The sandbox stands in for it, with made-up figures.'}
      </p>
      <div>
        <LeaveButton leave={connect}>
          {vendor === 'google' ? 'Connect Google' : 'Connect the sandbox'}
        </LeaveButton>
      </div>
    </>
  )
}

function Reading({ summary, now, connect }: Omit<Props, 'disconnect'>) {
  const { account, days, read_at, said } = summary
  if (account?.ended_said)
    return (
      <Callout
        tone="warning"
        title="Reconnect Google"
        action={
          <LeaveButton size="sm" leave={connect}>
            Reconnect
          </LeaveButton>
        }
      >
        No new figures until then: {account.ended_said}
      </Callout>
    )
  return (
    <>
      <p className="text-muted text-sm wrap-anywhere">
        By {account?.address}
        {read_at && (
          <>
            , read <RelativeTime at={read_at} now={now} />
          </>
        )}
        .
        {!said && days.length === 0 && ' No figures yet: Google needs a few hundred emails to Gmail per day.'}
      </p>
      {said && (
        <Callout tone="warning" title="Google returned no figures for this domain at the last check">
          {said}
        </Callout>
      )}
    </>
  )
}

const rounded = (value: number | null, by: number) =>
  value === null ? undefined : Math.round(value * by * 100) / 100

/** A day with too little mail has no value: the axis continues and the line is interrupted. */
const UNCOUNTED = {
  spam: null,
  spf: null,
  dkim: null,
  dmarc: null,
  rejected: null,
  deferred: null,
  low_reputation: null,
}

function Plots({ days: counted }: Pick<PostmasterSummary, 'days'>) {
  const days = everyDay(counted, (date) => ({ date, ...UNCOUNTED }))
  const worst = Math.max(...days.map(({ spam }) => spam ?? 0))
  const rejected = Math.max(...days.map((day) => day.rejected ?? 0))
  const deferred = Math.max(...days.map((day) => day.deferred ?? 0))
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-6 lg:grid-cols-2">
      <PlotLine
        title="Spam reports per 1,000 emails"
        summary={`At most ${percent(worst)} a day. Google asks for less than 0.1 %, and never 0.3 %.`}
        series={['Reported', 'Stay below', 'Never reach']}
        points={days.map(({ date, spam }) => ({
          label: shortDay(date),
          values: [rounded(spam, 1_000), SPAM_HIGH * 1_000, SPAM_TOO_HIGH * 1_000],
        }))}
      />
      <PlotLine
        title="Delivery errors, in %"
        summary={`At most ${percent(rejected)} rejected and ${percent(deferred)} deferred a day.`}
        series={['Rejected', 'Deferred', 'Rejected for reputation']}
        points={days.map((day) => ({
          label: shortDay(day.date),
          values: [rounded(day.rejected, 100), rounded(day.deferred, 100), rounded(day.low_reputation, 100)],
        }))}
      />
      <Authentication days={days} />
    </div>
  )
}

/** The results of the last complete day. */
function Authentication({ days }: Pick<PostmasterSummary, 'days'>) {
  const last = days.findLast(({ dmarc }) => dmarc !== null)
  if (!last) return null
  const shares = [
    ['SPF', last.spf],
    ['DKIM', last.dkim],
    ['DMARC', last.dmarc],
  ] as const
  return (
    <dl className="flex flex-wrap gap-x-6 gap-y-1 text-sm lg:col-span-2">
      {shares.map(([name, value]) => (
        <div key={name} className="flex gap-1.5">
          <dt className="text-muted">{name} passed</dt>
          <dd className="font-medium tabular-nums">{value === null ? 'unknown' : percent(value)}</dd>
        </div>
      ))}
      <div className="flex gap-1.5">
        <dt className="text-muted">on</dt>
        <dd>{shortDay(last.date)}</dd>
      </div>
    </dl>
  )
}

const ForOperators = ({ redirect_uri, scope }: Pick<PostmasterSummary, 'redirect_uri' | 'scope'>) => (
  <Disclosure title="For the operator of this instance" summary="OAuth client">
    <p className="max-w-prose pt-2 text-muted text-sm wrap-anywhere">
      In the Google Cloud project of this instance’s OAuth client, enable the Gmail Postmaster Tools API, add
      the scope <code className="font-mono text-text">{scope}</code> and the redirect address{' '}
      <code className="font-mono text-text">{redirect_uri}</code>.
    </p>
  </Disclosure>
)
