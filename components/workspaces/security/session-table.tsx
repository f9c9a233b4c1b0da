import { SortHead } from '#components/lists/sort-head'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Session } from '#lib/contracts/workspaces/sessions'
import { deviceName } from '#lib/domain/workspaces/device-name'

type Props = {
  sessions: Session[]
  /** The order is the `sessions` parameter of the URL. */
  sorting: { path: string; query: Query }
  current: string
  now: string
  zone: string
  revoke: (id: string) => Promise<FormResult>
  revokeOthers: () => Promise<FormResult>
}

const EndOthers = ({ revokeOthers }: Pick<Props, 'revokeOthers'>) => (
  <ActionButton
    size="sm"
    act={revokeOthers}
    confirm={{
      title: 'Sign out everywhere else?',
      description: 'Signs out every browser except this one at its next request. API keys keep working.',
      label: 'Sign out everywhere else',
      danger: true,
    }}
  >
    Sign out everywhere else
  </ActionButton>
)

type RowProps = Pick<Props, 'now' | 'zone' | 'revoke'> & { session: Session; isThis: boolean }

function SessionRow({ session, isThis, now, zone, revoke }: RowProps) {
  return (
    <Tr>
      <Td lead>
        {deviceName(session.user_agent)} {isThis && <Badge>this one</Badge>}
      </Td>
      <Td label="Network">
        {session.place ? (
          <code className="font-mono text-xs">{session.place}</code>
        ) : (
          <span className="text-muted">not known</span>
        )}
      </Td>
      <Td label="Signed in">
        <ZonedTime at={session.created_at} zone={zone} style="date" />
      </Td>
      <Td label="Last seen">
        <RelativeTime at={session.last_seen_at} now={now} />
      </Td>
      <Td className="w-px">
        {!isThis && (
          <ActionButton
            size="sm"
            variant="ghost"
            act={revoke.bind(null, session.session_id)}
            aria-label={`Sign out ${deviceName(session.user_agent)}`}
            confirm={{
              title: `Sign out ${deviceName(session.user_agent)}?`,
              description: 'It is signed out at its next request. API tokens shown there stop working.',
              label: 'Sign out',
              danger: true,
            }}
          >
            Sign out
          </ActionButton>
        )}
      </Td>
    </Tr>
  )
}

const COLUMNS = [
  { column: 'browser', label: 'Browser' },
  { column: 'place', label: 'Network' },
  { column: 'created_at', label: 'Signed in', first: 'down' },
  { column: 'last_seen_at', label: 'Last seen', first: 'down' },
] as const

export function SessionTable({ sessions, sorting, current, now, zone, revoke, revokeOthers }: Props) {
  return (
    <Panel
      title="Where you are signed in"
      description="Browsers only. Programs use API keys."
      action={
        sessions.some(({ session_id }) => session_id !== current) && <EndOthers revokeOthers={revokeOthers} />
      }
      flush
    >
      <Table caption="Signed-in browsers">
        <SortHead {...sorting} name="sessions" columns={COLUMNS} hasActions />
        <tbody>
          {sessions.map((session) => (
            <SessionRow
              key={session.session_id}
              session={session}
              isThis={session.session_id === current}
              now={now}
              zone={zone}
              revoke={revoke}
            />
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
