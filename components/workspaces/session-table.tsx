import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { RelativeTime, ZonedTime } from '#components/ui/zoned-time'
import type { Session } from '#lib/contracts/workspaces/sessions'

const BROWSERS = [
  ['Edg/', 'Edge'],
  ['OPR/', 'Opera'],
  ['SamsungBrowser/', 'Samsung Internet'],
  ['Firefox/', 'Firefox'],
  ['Chrome/', 'Chrome'],
  ['Safari/', 'Safari'],
] as const
const SYSTEMS = [
  ['iPhone', 'iPhone'],
  ['iPad', 'iPad'],
  ['Android', 'Android'],
  ['Windows', 'Windows'],
  ['Mac OS', 'macOS'],
  ['Linux', 'Linux'],
] as const

/** "Firefox on Linux", as far as a user agent says. */
function browserOf(agent: string | null): string {
  const of = (table: readonly (readonly [string, string])[]) =>
    table.find(([mark]) => agent?.includes(mark))?.[1]
  const [browser, system] = [of(BROWSERS), of(SYSTEMS)]
  if (!browser) return agent ? agent.slice(0, 40) : 'Unknown browser'
  return system ? `${browser} on ${system}` : browser
}

type Props = {
  sessions: Session[]
  current: string
  now: string
  zone: string
  revoke: (id: string) => Promise<FormResult>
}

export function SessionTable({ sessions, current, now, zone, revoke }: Props) {
  return (
    <Panel title="Where you are signed in" description="Browsers only; programs have API keys." flush>
      <Table caption="Browsers that are signed in">
        <thead>
          <tr>
            <Th>Browser</Th>
            <Th>Network</Th>
            <Th>Signed in</Th>
            <Th>Last seen</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {sessions.map((session) => (
            <Tr key={session.session_id}>
              <Td lead>
                {browserOf(session.user_agent)} {session.session_id === current && <Badge>this one</Badge>}
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
                {session.session_id !== current && (
                  <ActionButton
                    size="sm"
                    variant="ghost"
                    act={revoke.bind(null, session.session_id)}
                    aria-label={`Sign out ${browserOf(session.user_agent)}`}
                    confirm={{
                      title: `Sign out ${browserOf(session.user_agent)}?`,
                      description: 'At its next request. A token that was shown there ends with it.',
                      label: 'Sign out',
                      danger: true,
                    }}
                  >
                    Sign out
                  </ActionButton>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
