import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { ZonedTime } from '#components/ui/zoned-time'
import type { SignInRecord } from '#lib/contracts/workspaces/sign-ins'

const WAYS: Record<SignInRecord['method'], string> = {
  password: 'Password',
  passkey: 'Passkey',
  google: 'Google',
  microsoft: 'Microsoft',
  oidc: 'Identity provider',
  sign_up: 'New account',
  link: 'Link',
}

/** The latest of those who came in, and of those who did not. */
export function SignInTable({ items, zone }: { items: SignInRecord[]; zone: string }) {
  return (
    <Panel
      title="Sign-ins"
      description="The latest 20 of the last 90 days. A network is the address without its last part."
      flush
    >
      <Table caption="Sign-ins of this account">
        <thead>
          <tr>
            <Th>When</Th>
            <Th>Device</Th>
            <Th>How</Th>
            <Th>Network</Th>
          </tr>
        </thead>
        <tbody>
          {items.map((one) => (
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
