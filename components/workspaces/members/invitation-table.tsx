import { SortTh } from '#components/lists/sort-th'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Invitation } from '#lib/contracts/workspaces/invitations'
import { type InvitationResult, ResendInvitation } from './invitation-link.tsx'
import { roleLabel } from './role-options.tsx'

type Props = {
  invitations: Invitation[]
  /** The order is the `invitations` parameter of the URL. */
  sorting: { path: string; query: Query }
  zone: string
  now: string
  resend: (id: string) => Promise<InvitationResult>
  revoke: (id: string) => Promise<FormResult>
}

export function InvitationTable({ invitations, sorting, zone, now, resend, revoke }: Props) {
  const sorts = { ...sorting, name: 'invitations' }
  return (
    <Panel title="Open invitations" flush>
      <Table caption="Open invitations">
        <thead>
          <tr>
            <SortTh {...sorts} column="email">
              Email
            </SortTh>
            <SortTh {...sorts} column="role">
              Role
            </SortTh>
            <SortTh {...sorts} column="expires_at">
              Expires
            </SortTh>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {invitations.map(({ invitation_id, email, role, expires_at }) => (
            <Tr key={invitation_id}>
              <Td lead>{email}</Td>
              <Td label="Role">{roleLabel(role)}</Td>
              <Td label="Expires">
                {expires_at <= now ? <Badge>Expired</Badge> : <ZonedTime at={expires_at} zone={zone} />}
              </Td>
              <Td>
                <span className="flex flex-wrap justify-end gap-2">
                  <ResendInvitation resend={resend.bind(null, invitation_id)} />
                  <ActionButton
                    size="sm"
                    act={revoke.bind(null, invitation_id)}
                    confirm={{
                      title: `Revoke the invitation for ${email}?`,
                      description: 'The link stops working.',
                      label: 'Revoke',
                      danger: true,
                    }}
                  >
                    Revoke
                  </ActionButton>
                </span>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
