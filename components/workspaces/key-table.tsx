import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { RelativeTime, ZonedTime } from '#components/ui/zoned-time'
import type { ApiKey } from '#lib/contracts/workspaces/api-keys'
import { expiryWarning } from '#lib/domain/calendar/key-expiry'

type Props = {
  keys: ApiKey[]
  count: number
  tier_limit: number
  now: string
  /** The owner's. */
  zone: string
  revoke: (id: string) => Promise<FormResult>
}

export function KeyTable({ keys, count, tier_limit, now, zone, revoke }: Props) {
  return (
    <Panel title="Active keys" description={`${count} of ${tier_limit} that your plan allows`} flush>
      <Table caption="Active API keys">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th>Key</Th>
            <Th>May</Th>
            <Th>Created</Th>
            <Th>Expires</Th>
            <Th>Last used</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {keys.map((key) => (
            <KeyRow key={key.id} apiKey={key} now={now} zone={zone} revoke={revoke} />
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

/** A day, and a mark where it is near: whoever uses the key has to be given another in time. */
function Expiry({ at, now, zone }: { at: string | null; now: string; zone: string }) {
  if (!at) return <span className="text-muted">Never</span>
  const warning = expiryWarning(new Date(at), new Date(now))
  return (
    <span className="inline-flex flex-wrap items-center gap-1">
      <ZonedTime at={at} zone={zone} style="date" />
      {warning && <Badge tone="warning">{warning}</Badge>}
    </span>
  )
}

function KeyRow({
  apiKey: key,
  now,
  zone,
  revoke,
}: Pick<Props, 'now' | 'zone' | 'revoke'> & { apiKey: ApiKey }) {
  return (
    <Tr>
      <Td lead>{key.name}</Td>
      <Td label="Key">
        <code className="font-mono text-xs">{key.key_prefix}…</code>
      </Td>
      <Td label="May">
        <span className="inline-flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
      </Td>
      <Td label="Created">
        <ZonedTime at={key.created_at} style="date" />
      </Td>
      <Td label="Expires">
        <Expiry at={key.expires_at} now={now} zone={zone} />
      </Td>
      <Td label="Last used">
        {key.last_used_at ? (
          <RelativeTime at={key.last_used_at} now={now} />
        ) : (
          <span className="text-muted">Never used</span>
        )}
      </Td>
      <Td className="w-px">
        <ActionButton
          size="sm"
          variant="ghost"
          act={revoke.bind(null, key.id)}
          aria-label={`Revoke ${key.name}`}
          confirm={{
            title: `Revoke key “${key.name}”?`,
            description: `Whatever uses ${key.key_prefix}… is refused from its next request.`,
            label: 'Revoke key',
            danger: true,
          }}
        >
          Revoke
        </ActionButton>
      </Td>
    </Tr>
  )
}
