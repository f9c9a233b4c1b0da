import { Pencil, Trash2 } from 'lucide-react'
import { type Column, ListTable } from '#components/lists/list-table'
import { type OthersWork, RowLock } from '#components/lists/row-lock'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import type { Query } from '#components/ui/query-href'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'

type Props = {
  profiles: SenderProfile[]
  total: number
  page: number
  page_size: number
  query: Query
  remove: (id: string) => Promise<FormResult>
  /** Set for users who may change only their own profiles. */
  others?: OthersWork | null
}

const COLUMNS: Column<SenderProfile>[] = [
  {
    label: 'Profile',
    sort: { column: 'profile_name' },
    cell: (profile) => (
      <div className="min-w-0">
        <span className="flex flex-wrap items-center gap-2">
          <Link
            href={`/sender-profiles/${profile.id}`}
            data-row-link
            className="rounded-xs font-medium wrap-anywhere hover:underline"
          >
            {profile.profile_name}
          </Link>
          {profile.is_default && <Badge tone="accent">Default</Badge>}
        </span>
        {profile.description && (
          <p className="text-xs font-normal wrap-anywhere text-muted">{profile.description}</p>
        )}
      </div>
    ),
  },
  {
    label: 'Fields',
    headClass: 'w-1/2',
    className: 'max-w-0 max-sm:max-w-none',
    cell: ({ sender_data }) => (
      <span className="block truncate text-muted">{Object.keys(sender_data.data).join(', ') || '–'}</span>
    ),
  },
  {
    label: 'Uses',
    sort: { column: 'usage_count', first: 'down' },
    numeric: true,
    cell: ({ usage_count }) => usage_count.toLocaleString('en'),
  },
]

export function ProfileTable({ profiles, remove, others, ...pages }: Props) {
  return (
    <ListTable
      {...pages}
      caption="Sender profiles"
      noun="profiles"
      path="/sender-profiles"
      columns={COLUMNS}
      rows={profiles}
      rowKey={({ id, profile_name }) => id ?? profile_name}
      actions={({ id, profile_name }) =>
        id && (
          <RowLock others={others} id={id}>
            <ProfileMenu id={id} name={profile_name} remove={remove} />
          </RowLock>
        )
      }
    />
  )
}

function ProfileMenu({ id, name, remove }: { id: string; name: string; remove: Props['remove'] }) {
  return (
    <Menu label={`More for ${name}`}>
      <MenuLink href={`/sender-profiles/${id}`}>
        <Pencil aria-hidden /> Edit
      </MenuLink>
      <MenuAction
        act={remove.bind(null, id)}
        danger
        confirm={{ title: `Delete sender profile “${name}”?`, label: 'Delete profile', danger: true }}
      >
        <Trash2 aria-hidden /> Delete
      </MenuAction>
    </Menu>
  )
}
