import { Link } from '#components/ui/controls/link'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { AuditEvent } from '#lib/contracts/workspaces/audit'
import { operationWords } from './operation-words.tsx'

const BY = {
  person: 'Dashboard',
  token: 'API token',
  key: 'API key',
  assistant: 'Assistant',
  stranger: null,
} as const

/** The page that shows a record, by the kind of its id. */
const PLACES: Record<string, string> = {
  account_id: '/accounts',
  campaign_id: '/campaigns',
  dataset_id: '/datasets',
  domain_id: '/domains',
  mailbox_id: '/mailboxes',
  post_id: '/posts',
  run_id: '/personalize',
  template_id: '/templates',
  thread_id: '/inbox',
  webhook_id: '/webhooks',
}

type TargetProps = { name: string; id: string; title: string | undefined; isGone: boolean }

function Target({ name, id, title, isGone }: TargetProps) {
  if (name === 'place')
    return (
      <>
        from <code className="font-mono text-xs">{id}</code>
      </>
    )
  if (name === 'contact_policy_override')
    return <span className="block wrap-anywhere">does not wait for other campaigns: “{id}”</span>
  if (name === 'filename')
    return (
      <span className="mr-3 inline-block wrap-anywhere last:mr-0">
        file <bdi>{id}</bdi>
      </span>
    )
  const place = isGone ? undefined : PLACES[name]
  const what = name.replace(/_?id$/, '').replaceAll('_', ' ') || 'id'
  const words = (
    <>
      {what}{' '}
      {title ? (
        <bdi>{title}</bdi>
      ) : (
        <code className="font-mono text-xs" title={id}>
          …{id.slice(-8)}
        </code>
      )}
    </>
  )
  return (
    <span className="mr-3 inline-block wrap-anywhere last:mr-0">
      {place ? (
        <Link href={`${place}/${id}`} prefetch={false} className="rounded-xs hover:underline">
          {words}
        </Link>
      ) : (
        words
      )}
    </span>
  )
}

/** A file's name, or what it became, if known. */
const shownTarget = (target: AuditEvent['target']) =>
  Object.entries(target).filter(([name]) => name !== 'upload_id' || !(target.filename || target.dataset_id))

export function AuditTable({ events, zone }: { events: AuditEvent[]; zone: string }) {
  return (
    <Panel flush>
      <Table caption="Changes and who made them">
        <thead>
          <tr>
            <Th>What</Th>
            <Th>Via</Th>
            <Th>When ({zone})</Th>
            <Th>On</Th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <Tr key={event.audit_event_id}>
              <Td lead>
                <span className="font-medium">
                  {event.by === 'stranger' ? 'Somebody' : (event.user_name ?? 'Former member')}
                </span>{' '}
                {operationWords(event.operation)}
              </Td>
              <Td label="Via" className="text-muted">
                {BY[event.by]}{' '}
                {event.key_prefix && <code className="font-mono text-xs">{event.key_prefix}…</code>}
              </Td>
              <Td label="When">
                <ZonedTime at={event.at} zone={zone} />
              </Td>
              <Td label="On" className="text-muted">
                {shownTarget(event.target).map(([name, id]) => (
                  <Target
                    key={name}
                    name={name}
                    id={id}
                    title={event.target_names[id]}
                    isGone={event.operation.startsWith('delete')}
                  />
                ))}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
