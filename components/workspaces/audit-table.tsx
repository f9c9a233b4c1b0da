import Link from 'next/link'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { AuditEvent } from '#lib/contracts/workspaces/audit'

const BY = { person: 'You', key: 'API key', assistant: 'Assistant', stranger: 'Somebody' } as const

/** "updateCampaign" as people say it. */
export const operationWords = (id: string) => {
  const words = id.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bapi\b/, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** Where what an id names is shown. */
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

function Target({ name, id, isGone }: { name: string; id: string; isGone: boolean }) {
  if (name === 'place')
    return (
      <>
        from <code className="font-mono text-xs">{id}</code>
      </>
    )
  const place = isGone ? undefined : PLACES[name]
  const what = name.replace(/_?id$/, '').replaceAll('_', ' ') || 'id'
  const words = (
    <>
      {what}{' '}
      <code className="font-mono text-xs" title={id}>
        …{id.slice(-8)}
      </code>
    </>
  )
  return (
    <span className="mr-3 inline-block whitespace-nowrap last:mr-0">
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

export function AuditTable({ events, zone }: { events: AuditEvent[]; zone: string }) {
  return (
    <Panel flush>
      <Table caption="Changes and who made them">
        <thead>
          <tr>
            <Th>What</Th>
            <Th>By</Th>
            <Th>When ({zone})</Th>
            <Th>On</Th>
          </tr>
        </thead>
        <tbody>
          {events.map((event) => (
            <Tr key={event.audit_event_id}>
              <Td lead>{operationWords(event.operation)}</Td>
              <Td label="By">
                {BY[event.by]}{' '}
                {event.key_prefix && <code className="font-mono text-xs">{event.key_prefix}…</code>}
              </Td>
              <Td label="When">
                <ZonedTime at={event.at} zone={zone} />
              </Td>
              <Td label="On" className="text-muted">
                {Object.entries(event.target).map(([name, id]) => (
                  <Target key={name} name={name} id={id} isGone={event.operation.startsWith('delete')} />
                ))}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
