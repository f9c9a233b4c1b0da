import { SortTh } from '#components/lists/sort-th'
import { ActionButton } from '#components/ui/controls/action-button'
import type { FormResult } from '#components/ui/controls/action-form'
import { LinkButton } from '#components/ui/controls/link-button'
import { Badge } from '#components/ui/feedback/badge'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import type { Query } from '#components/ui/query-href'
import { ZonedTime } from '#components/ui/zoned-time'
import type { Member } from '#lib/contracts/workspaces/members'
import { canGiveRole, isRoleEnough, type Role } from '#lib/domain/workspaces/roles'
import { type RemovalAnswer, RemoveMember } from './remove-member.tsx'
import { roleLabel } from './role-options.tsx'
import { RoleSelect } from './role-select.tsx'

type Actions = {
  changeRole: (userId: string, role: string, version: number) => Promise<FormResult>
  previewRemoval: (userId: string, heirId?: string) => Promise<RemovalAnswer>
  removeMember: (userId: string, heirId?: string) => Promise<FormResult>
  handOn: (userId: string) => Promise<FormResult>
  leave: () => Promise<FormResult>
}
type Me = { user_id: string; role: Role }
type Shared = { members: Member[]; me: Me; zone: string; actions: Actions }
type Props = Shared & { total: number; path: string; query: Query }

const HandOn = ({ member, handOn }: { member: Member; handOn: Actions['handOn'] }) => (
  <ActionButton
    size="sm"
    act={handOn.bind(null, member.user_id)}
    confirm={{
      title: `Make ${member.name} the owner?`,
      description: 'They get full access, billing included. You become an admin.',
      label: 'Make owner',
      danger: true,
    }}
  >
    Make owner
  </ActionButton>
)

/** The first few are visible, the rest are in the tooltip. */
const MAX_SHOWN = 3

/** The mailboxes a member's campaigns may use; only the role "member" needs assigned ones. */
function Mailboxes({ member: { role, mailboxes } }: { member: Member }) {
  if (role !== 'member')
    return <span className="text-muted">{isRoleEnough(role, 'admin') ? 'All' : '–'}</span>
  if (mailboxes.length === 0) return <span className="text-muted">None</span>
  const addresses = mailboxes.map(({ address }) => address)
  const further = addresses.length - MAX_SHOWN
  return (
    <span className="wrap-anywhere" title={addresses.join(', ')}>
      {addresses.slice(0, MAX_SHOWN).join(', ')}
      {further > 0 && ` and ${further} more`}
    </span>
  )
}

type RowProps = Shared & { member: Member }

function MemberRow({ member, members, me, zone, actions }: RowProps) {
  const isMe = member.user_id === me.user_id
  const mayManage = canGiveRole(me.role, member.role)
  return (
    <Tr>
      <Td lead>
        {member.name} {isMe && <Badge>you</Badge>}
        <span className="block text-xs text-muted">{member.email}</span>
      </Td>
      <Td label="Role">
        {mayManage && !isMe ? (
          <RoleSelect key={member.role} member={member} own={me.role} change={actions.changeRole} />
        ) : (
          roleLabel(member.role)
        )}
      </Td>
      <Td label="Mailboxes">
        <Mailboxes member={member} />
      </Td>
      <Td label="Joined">
        <ZonedTime at={member.created_at} zone={zone} />
      </Td>
      <Td>
        {mayManage && !isMe && (
          <span className="flex flex-wrap justify-end gap-2">
            {me.role === 'owner' && member.role !== 'owner' && (
              <HandOn member={member} handOn={actions.handOn} />
            )}
            {member.role === 'client' && (
              <LinkButton size="sm" href={`/settings/members/${member.user_id}`}>
                Campaigns
              </LinkButton>
            )}
            <RemoveMember
              member={member}
              heirs={members.filter((one) => one !== member && isRoleEnough(one.role, 'member'))}
              preview={actions.previewRemoval}
              remove={actions.removeMember}
            />
          </span>
        )}
      </Td>
    </Tr>
  )
}

const Leave = ({ leave }: Pick<Actions, 'leave'>) => (
  <ActionButton
    size="sm"
    act={leave}
    confirm={{
      title: 'Leave this workspace?',
      description: 'Your work stays and goes to the owner. To come back, you need a new invitation.',
      label: 'Leave',
      danger: true,
    }}
  >
    Leave workspace
  </ActionButton>
)

export function MemberTable({ members, total, path, query, ...rest }: Props) {
  return (
    <Panel title="Members" action={total > 1 && <Leave leave={rest.actions.leave} />} flush>
      <Table caption="Workspace members">
        <thead>
          <tr>
            <SortTh {...{ path, query }} column="name">
              Person
            </SortTh>
            <SortTh {...{ path, query }} column="role">
              Role
            </SortTh>
            <Th>Mailboxes</Th>
            <SortTh {...{ path, query }} column="created_at" first="down">
              Joined
            </SortTh>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {members.map((member) => (
            <MemberRow key={member.user_id} member={member} members={members} {...rest} />
          ))}
        </tbody>
      </Table>
    </Panel>
  )
}
