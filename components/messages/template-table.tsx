import { Pencil, Trash2 } from 'lucide-react'
import Link from 'next/link'
import type { FormResult } from '#components/ui/controls/action-form'
import { Pagination } from '#components/ui/layout/pagination'
import { Panel } from '#components/ui/layout/panel'
import { Table, Td, Th, Tr } from '#components/ui/layout/table'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/zoned-time'
import type { Template } from '#lib/contracts/messages/templates'

type Props = {
  templates: Template[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  /** How many campaigns name each, by its id. */
  uses: Record<string, number>
  remove: (template_id: string) => Promise<FormResult>
}

const usesWords = (count: number) =>
  count === 0 ? (
    <span className="text-muted">no campaign</span>
  ) : (
    `${count.toLocaleString('en')} ${count === 1 ? 'campaign' : 'campaigns'}`
  )

export function TemplateTable({ templates, total, page, page_size, query, now, uses, remove }: Props) {
  return (
    <Panel flush>
      <Table caption="Templates">
        <thead>
          <tr>
            <Th>Name</Th>
            <Th className="w-1/2">Subject</Th>
            <Th numeric>Used in</Th>
            <Th>Changed</Th>
            <Th>
              <span className="sr-only">Actions</span>
            </Th>
          </tr>
        </thead>
        <tbody>
          {templates.map(({ template_id, name, content, updated_at }) => (
            <Tr key={template_id}>
              <Td lead>
                <Link
                  href={`/templates/${template_id}`}
                  data-row-link
                  className="rounded-xs font-medium hover:underline"
                >
                  {name}
                </Link>
              </Td>
              <Td label="Subject" className="max-w-0 max-sm:max-w-none">
                <span className="block truncate text-muted">{content.subject || '(no subject)'}</span>
              </Td>
              <Td label="Used in" numeric className="whitespace-nowrap">
                {usesWords(uses[template_id] ?? 0)}
              </Td>
              <Td label="Changed" className="whitespace-nowrap">
                <RelativeTime at={updated_at} now={now} />
              </Td>
              <Td className="w-px">
                <Menu label={`More for ${name}`}>
                  <MenuLink href={`/templates/${template_id}`}>
                    <Pencil aria-hidden /> Edit
                  </MenuLink>
                  <MenuAction
                    act={remove.bind(null, template_id)}
                    danger
                    confirm={{
                      title: `Delete template “${name}”?`,
                      description: 'Mail that already left keeps its text.',
                      label: 'Delete template',
                      danger: true,
                    }}
                  >
                    <Trash2 aria-hidden /> Delete
                  </MenuAction>
                </Menu>
              </Td>
            </Tr>
          ))}
        </tbody>
      </Table>
      <Pagination
        path="/templates"
        query={query}
        page={page}
        page_size={page_size}
        total={total}
        noun="templates"
      />
    </Panel>
  )
}
