import { ActionButton } from '#components/ui/controls/action-button'
import { ActionForm, type FormAction, type FormResult } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { StatusPill } from '#components/ui/feedback/status-pill'
import { Disclosure } from '#components/ui/layout/disclosure'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { RelativeTime } from '#components/ui/relative-time'
import type { SndsSummary } from '#lib/contracts/domains/snds'
import { dateInWords } from '#lib/domain/calendar/day-words'
import { parseDay } from '#lib/domain/calendar/zoned-time'

type Props = {
  summary: SndsSummary
  now: string
  connect: FormAction
  /** Null if this instance has no sandbox. */
  tryOut: (() => Promise<FormResult>) | null
  disconnect: () => Promise<FormResult>
}

/** Outlook.com's statistics for the sending IP addresses. */
export function Snds({ summary, now, connect, tryOut, disconnect }: Props) {
  if (!summary.connected)
    return (
      <Disclosure title="Outlook.com: SNDS" summary="Filter results for your own IP addresses">
        <NotConnected connect={connect} tryOut={tryOut} />
      </Disclosure>
    )
  return (
    <Panel
      flush
      title="Outlook.com: SNDS, 14 days"
      description="How Microsoft’s filter rated email from your IP addresses. Days with few emails are left out."
      action={
        <ActionButton
          size="sm"
          act={disconnect}
          confirm={{
            title: 'Disconnect SNDS?',
            description: 'The key and the data read so far are deleted. Microsoft keeps its own.',
            label: 'Disconnect',
            danger: true,
          }}
        >
          Disconnect
        </ActionButton>
      }
    >
      <Findings summary={summary} now={now} />
      {summary.ips.length > 0 && <Addresses ips={summary.ips} />}
    </Panel>
  )
}

function NotConnected({ connect, tryOut }: Pick<Props, 'connect' | 'tryOut'>) {
  return (
    <div className="grid max-w-2xl gap-4">
      <p className="text-muted text-sm">
        If you run your own mail server: add its IP addresses at{' '}
        <b>sendersupport.olc.protection.outlook.com/snds</b>, enable <b>Automated data access</b> there, and
        copy the address that it shows.
      </p>
      <ActionForm action={connect} className="grid gap-4">
        <Field label="Key or full URL" name="key" required hint="It is kept encrypted and never shown again.">
          <Input type="password" autoComplete="off" />
        </Field>
        <div className="flex flex-wrap gap-2">
          <SubmitButton>Connect SNDS</SubmitButton>
          {tryOut && <ActionButton act={tryOut}>Connect the sandbox</ActionButton>}
        </div>
      </ActionForm>
    </div>
  )
}

function Findings({ summary, now }: Pick<Props, 'summary' | 'now'>) {
  const { is_made_up, said, warnings, read_at, next_read_at } = summary
  return (
    <div className="grid gap-3 p-4 text-sm">
      {is_made_up && (
        <Callout title="These figures are made up">
          The sandbox of this instance stands in for Microsoft.
        </Callout>
      )}
      {said && (
        <Callout tone="warning" title="The last update failed">
          {said}
        </Callout>
      )}
      {warnings.map((warning) => (
        <Callout key={warning} tone="danger">
          {warning}
        </Callout>
      ))}
      <p className="text-muted">
        {read_at ? (
          <>
            Read <RelativeTime at={read_at} now={now} />,{' '}
          </>
        ) : (
          'Not read yet, '
        )}
        again {next_read_at && <RelativeTime at={next_read_at} now={now} />}.
      </p>
    </div>
  )
}

const RESULTS = {
  green: { tone: 'success', mark: 'check', label: 'Less than 10 % spam' },
  yellow: { tone: 'warning', mark: 'half', label: '10 to 90 % spam' },
  red: { tone: 'danger', mark: 'cross', label: 'More than 90 % spam' },
} as const

type Address = SndsSummary['ips'][number]
const sum = (days: Address['days'], of: 'recipients' | 'trap_hits') =>
  days.reduce((total, day) => total + day[of], 0).toLocaleString('en')

function Addresses({ ips }: { ips: Address[] }) {
  return (
    <Table caption="IP addresses at Outlook.com">
      <thead>
        <tr>
          <Th>IP address</Th>
          <Th>Last day</Th>
          <Th>Filter</Th>
          <Th numeric>Complaints</Th>
          <Th numeric>Red days</Th>
          <Th numeric>Spam traps</Th>
          <Th numeric>Recipients</Th>
        </tr>
      </thead>
      <tbody>
        {ips.map(({ ip, days }) => {
          const [latest] = days
          return (
            <Tr key={ip}>
              <Td lead>{ip}</Td>
              <Td label="Last day">{latest && dateInWords(parseDay(latest.date))}</Td>
              <Td label="Filter">{latest && <StatusPill {...RESULTS[latest.result]} />}</Td>
              <Td label="Complaints" numeric>
                {latest?.complaints}
              </Td>
              <Td label="Red days" numeric>
                {days.filter(({ result }) => result === 'red').length}
              </Td>
              <Td label="Spam traps" numeric>
                {sum(days, 'trap_hits')}
              </Td>
              <Td label="Recipients" numeric>
                {sum(days, 'recipients')}
              </Td>
            </Tr>
          )
        })}
      </tbody>
    </Table>
  )
}
