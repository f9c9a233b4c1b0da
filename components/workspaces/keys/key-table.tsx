import { SortTh } from '#components/lists/sort-th'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import { ZonedTime } from '#components/ui/zoned-time'
import type { ApiKey } from '#lib/contracts/workspaces/api-keys'
import { expiryWarning } from '#lib/domain/calendar/key-expiry'
import { bothWays, type Orders, sortRows } from '#lib/domain/text/row-order'
import { RESOURCES } from '#lib/domain/workspaces/key-permissions'
import type { Role } from '#lib/domain/workspaces/roles'
import { EditKey, type SaveKey } from './edit-key.tsx'
import { type Roll, RollKey } from './roll-key.tsx'

type Props = {
  keys: ApiKey[]
  count: number
  tier_limit: number
  query: Query
  now: string
  /** The owner's zone. */
  zone: string
  own: Role
  revoke: (id: string) => Promise<FormResult>
  roll: Roll
  save: SaveKey
}

const path = '/api-keys'

const ORDERS: Orders<ApiKey> = {
  name: ({ name }) => name,
  created_at: ({ created_at }) => created_at,
  expires_at: ({ expires_at }) => expires_at,
  last_used_at: ({ last_used_at }) => last_used_at,
}
export const KEY_SORTS = bothWays(['name', 'created_at', 'expires_at', 'last_used_at'])

export function KeyTable({ keys, count, tier_limit, query, ...row }: Props) {
  return (
    <Panel title="Active keys" description={`${count} of ${tier_limit} that your plan allows`} flush>
      <Table caption="Active API keys">
        <thead>
          <tr>
            <SortTh {...{ path, query }} column="name">
              Name
            </SortTh>
            <Th>Key</Th>
            <Th>Permissions</Th>
            <SortTh {...{ path, query }} column="created_at" first="down">
              Created
            </SortTh>
            <SortTh {...{ path, query }} column="expires_at">
              Expires
            </SortTh>
            <SortTh {...{ path, query }} column="last_used_at" first="down">
              Last used
            </SortTh>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {sortRows(keys, ORDERS, query.sort?.toString()).map((key) => (
            <KeyRow key={key.id} apiKey={key} {...row} />
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}

/** The expiry date, highlighted when it is near, since the key's user needs a new one in time. */
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

/** A key's access in a few words. */
function Reach({ apiKey: { role, permissions, allowed_networks } }: { apiKey: ApiKey }) {
  const named = RESOURCES.flatMap(({ name, tags }) => {
    const verb = permissions?.[name]
    return verb && verb !== 'none' ? [`${tags[0]}: ${verb}`] : []
  })
  const networks = allowed_networks.length
  const parts = [
    role && `as ${role}`,
    permissions && (named.length > 3 ? `${named.length} of ${RESOURCES.length} parts` : named.join(', ')),
    networks > 0 && (networks === 1 ? `from ${allowed_networks[0]}` : `from ${networks} networks`),
  ]
  return <span className="block text-xs text-muted">{parts.filter(Boolean).join(' · ')}</span>
}

function LastUse({ apiKey: { last_used_at, last_used_place }, now }: { apiKey: ApiKey; now: string }) {
  if (!last_used_at) return <span className="text-muted">Never used</span>
  return (
    <>
      <RelativeTime at={last_used_at} now={now} />
      {last_used_place && <span className="block text-xs text-muted">{last_used_place}</span>}
    </>
  )
}

function KeyRow({
  apiKey: key,
  now,
  zone,
  own,
  revoke,
  roll,
  save,
}: Omit<Props, 'keys' | 'count' | 'tier_limit' | 'query'> & { apiKey: ApiKey }) {
  return (
    <Tr>
      <Td lead className="wrap-anywhere">
        {key.name}
        {key.replaced_by && (
          <span className="ml-2">
            <Badge>rolled</Badge>
          </span>
        )}
      </Td>
      <Td label="Key" plain>
        <code className="font-mono text-xs">{key.key_prefix}…</code>
      </Td>
      <Td label="Permissions">
        <span className="inline-flex flex-wrap gap-1">
          {key.scopes.map((scope) => (
            <Badge key={scope}>{scope}</Badge>
          ))}
        </span>
        <Reach apiKey={key} />
      </Td>
      <Td label="Created">
        <ZonedTime at={key.created_at} zone={zone} style="date" />
      </Td>
      <Td label="Expires" className={key.expires_at ? '' : 'max-sm:hidden!'}>
        <Expiry at={key.expires_at} now={now} zone={zone} />
      </Td>
      <Td label="Last used">
        <LastUse apiKey={key} now={now} />
      </Td>
      <Td className="w-px text-right whitespace-nowrap">
        <RollKey id={key.id} name={key.name} isRolled={key.replaced_by !== null} roll={roll} />
        <EditKey apiKey={key} own={own} save={save} />
        <ActionButton
          size="sm"
          variant="ghost"
          act={revoke.bind(null, key.id)}
          aria-label={`Revoke ${key.name}`}
          confirm={{
            title: `Revoke key “${key.name}”?`,
            description: `Programs using ${key.key_prefix}… are refused from their next request.`,
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
