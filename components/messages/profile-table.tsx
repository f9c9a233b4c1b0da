import { Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import type { FormResult } from '#components/ui/controls/action-form'
import { Badge } from '#components/ui/feedback/badge'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
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
}

export function ProfileTable({ profiles, total, page, page_size, query, remove }: Props) {
  return (
    <Panel flush>
      <Table caption="Sender profiles">
        <thead>
          <tr>
            <Th>Profile</Th>
            <Th className="w-1/2">Fields</Th>
            <Th numeric>Uses</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {profiles.map((profile) => (
            <Tr key={profile.id}>
              <Td lead>
                <div className="min-w-0">
                  <span className="flex flex-wrap items-center gap-2">
                    <Link
                      href={`/sender-profiles/${profile.id}`}
                      data-row-link
                      className="rounded-xs font-medium hover:underline"
                    >
                      {profile.profile_name}
                    </Link>
                    {profile.is_default && <Badge tone="accent">Default</Badge>}
                  </span>
                  {profile.description && (
                    <p className="text-xs font-normal text-muted">{profile.description}</p>
                  )}
                </div>
              </Td>
              <Td label="Fields" className="max-w-0 max-sm:max-w-none">
                <span className="block truncate text-muted">
                  {Object.keys(profile.sender_data.data).join(', ') || '–'}
                </span>
              </Td>
              <Td label="Uses" numeric>
                {profile.usage_count.toLocaleString('en')}
              </Td>
              <Td className="w-px">
                {profile.id && <ProfileMenu id={profile.id} name={profile.profile_name} remove={remove} />}
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        path="/sender-profiles"
        query={query}
        page={page}
        page_size={page_size}
        total={total}
        noun="profiles"
      />
    </Panel>
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
