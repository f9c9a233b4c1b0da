import { Copy, Eye, Pencil, Trash2 } from 'lucide-react'
import { type Column, ListTable } from '#components/lists/list-table'
import { type OthersWork, RowLock } from '#components/lists/row-lock'
import type { FormResult } from '#components/ui/controls/action-form'
import { Link } from '#components/ui/controls/link'
import { Badge } from '#components/ui/feedback/badge'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction, MenuLink } from '#components/ui/overlays/menu-item'
import type { Query } from '#components/ui/query-href'
import { RelativeTime } from '#components/ui/relative-time'
import type { Template } from '#lib/contracts/messages/templates'

type Props = {
  templates: Template[]
  total: number
  page: number
  page_size: number
  query: Query
  now: string
  /** By template id, how many campaigns use it. */
  uses: Record<string, number>
  remove: (template_id: string) => Promise<FormResult>
  /** Set for users who may change only their own templates. */
  others?: OthersWork | null
}

const usesWords = (count: number) =>
  count === 0 ? (
    <span className="text-muted">no campaign</span>
  ) : (
    `${count.toLocaleString('en')} ${count === 1 ? 'campaign' : 'campaigns'}`
  )

const buildColumns = (now: string, uses: Props['uses']): Column<Template>[] => [
  {
    label: 'Name',
    sort: { column: 'name' },
    cell: ({ template_id, name, is_shared, inherited_from }) => (
      <span className="inline-flex flex-wrap items-center gap-x-2 gap-y-1">
        <Link
          href={`/templates/${template_id}`}
          data-row-link
          className="rounded-xs font-medium wrap-anywhere hover:underline"
        >
          {name}
        </Link>
        {inherited_from ? (
          <Badge tone="info">From {inherited_from.name}</Badge>
        ) : (
          is_shared && <Badge>Shared</Badge>
        )}
      </span>
    ),
  },
  {
    label: 'Subject',
    sort: { column: 'subject' },
    headClass: 'w-1/2',
    className: 'max-w-0 max-sm:max-w-none',
    cell: ({ content }) => (
      <span className="block truncate text-muted">{content.subject || '(no subject)'}</span>
    ),
  },
  {
    label: 'Used in',
    sort: { column: 'uses', first: 'down' },
    numeric: true,
    className: 'whitespace-nowrap',
    cell: ({ template_id }) => usesWords(uses[template_id] ?? 0),
  },
  {
    label: 'Changed',
    sort: { column: 'updated_at', first: 'down' },
    className: 'whitespace-nowrap',
    cell: ({ updated_at }) => <RelativeTime at={updated_at} now={now} />,
  },
]

export function TemplateTable({ templates, now, uses, remove, others, ...pages }: Props) {
  return (
    <ListTable
      {...pages}
      caption="Templates"
      noun="templates"
      path="/templates"
      columns={buildColumns(now, uses)}
      rows={templates}
      rowKey={({ template_id }) => template_id}
      actions={({ template_id, name, inherited_from }) => (
        <RowLock others={others} id={template_id}>
          <Menu label={`More for ${name}`}>
            <MenuLink href={`/templates/${template_id}`}>
              {inherited_from ? <Eye aria-hidden /> : <Pencil aria-hidden />}{' '}
              {inherited_from ? 'View' : 'Edit'}
            </MenuLink>
            <MenuLink href={`/templates/new?from=${template_id}`}>
              <Copy aria-hidden /> Duplicate
            </MenuLink>
            {!inherited_from && (
              <MenuAction
                act={remove.bind(null, template_id)}
                danger
                confirm={{
                  title: `Delete template “${name}”?`,
                  description: 'Sent emails keep their text.',
                  label: 'Delete template',
                  danger: true,
                }}
              >
                <Trash2 aria-hidden /> Delete
              </MenuAction>
            )}
          </Menu>
        </RowLock>
      )}
    />
  )
}
