import { Panel } from '#components/ui/panel'
import { Table, Td, Th, Tr } from '#components/ui/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { AuditEvent } from '#lib/contracts/audit'

const BY = { person: 'You', key: 'API key', assistant: 'Assistant' } as const

/** "updateCampaign" as people say it. */
export const operationWords = (id: string) => {
  const words = id.replace(/([A-Z])/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bapi\b/, 'API')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

export function AuditTable({ events, zone }: { events: AuditEvent[]; zone: string }) {
  return (
    <Panel flush>
      <Table caption="What was changed, by whom">
        <thead>
          <tr>
            <Th>What</Th>
            <Th>By</Th>
            <Th>When</Th>
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
                  <span key={name} className="mr-3 inline-block whitespace-nowrap last:mr-0">
                    {name.replace(/_?id$/, '').replaceAll('_', ' ') || 'id'}{' '}
                    <code className="font-mono text-xs" title={id}>
                      …{id.slice(-8)}
                    </code>
                  </span>
                ))}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
