import { SortHead } from '#components/lists/sort-head'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import type { SignInRecord } from '#lib/contracts/workspaces/sign-ins'
import { bothWays, type Orders, sortRows } from '#lib/domain/text/row-order'

const WAYS: Record<SignInRecord['method'], string> = {
  password: 'Password',
  passkey: 'Passkey',
  google: 'Google',
  microsoft: 'Microsoft',
  oidc: 'Identity provider',
  sign_up: 'New account',
  link: 'Link',
}

const COLUMNS = [
  { column: 'at', label: 'When', first: 'down' },
  { column: 'device', label: 'Device' },
  { column: 'method', label: 'How' },
  { column: 'place', label: 'Network' },
] as const

/** The sort orders, as named in the URL. */
export const SIGN_IN_SORTS = bothWays(['at', 'device', 'method', 'place'])

const ORDERS: Orders<SignInRecord> = {
  at: ({ at }) => at,
  device: ({ device }) => device,
  method: ({ method }) => WAYS[method],
  place: ({ place }) => place,
}

type Props = {
  items: SignInRecord[]
  /** The order is the `sign_ins` parameter of the URL. */
  sorting: { path: string; query: Query }
  zone: string
}

/** The latest sign-ins, successful and failed. */
export function SignInTable({ items, sorting, zone }: Props) {
  return (
    <Panel
      title="Sign-ins"
      description="The latest 20 of the last 90 days. A network is an IP address without its last part."
      flush
    >
      <Table caption="Recent sign-ins">
        <SortHead {...sorting} name="sign_ins" columns={COLUMNS} />
        <tbody>
          {sortRows(items, ORDERS, sorting.query.sign_ins?.toString()).map((one) => (
            <Tr key={one.sign_in_id}>
              <Td lead>
                <ZonedTime at={one.at} zone={zone} />
              </Td>
              <Td label="Device">
                {one.device} {one.is_new_device && <Badge>new device</Badge>}
              </Td>
              <Td label="How">
                {WAYS[one.method]} {!one.succeeded && <Badge tone="danger">failed</Badge>}
              </Td>
              <Td label="Network">
                {one.place ? (
                  <code className="font-mono text-xs">{one.place}</code>
                ) : (
                  <span className="text-muted">not known</span>
                )}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
