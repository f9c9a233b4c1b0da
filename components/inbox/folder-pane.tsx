import { clsx } from 'clsx'
import type { ReactNode } from 'react'
import { breakable } from '#components/senders/breakable'
import { Link } from '#components/ui/controls/link'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction } from '#components/ui/overlays/menu-item'
import type { Act } from '#components/ui/use-action'
import { type InboxLabel, LABEL_COLORS, type LabelColor } from '#lib/contracts/inbox/inbox-labels'
import { COLOR_LABELS, LABEL_DOTS, labelText } from './looks.tsx'

export type Place = { href: string; name: string; count?: number; current: boolean }
export type LabelPlace = Place & { label: InboxLabel; paint: (color: LabelColor) => Act; remove: Act | null }

type Props = {
  folders: Place[]
  intents: Place[]
  labels: LabelPlace[]
  assignees: Place[]
  senders: Place[]
}

/** The first pane: folders and filters. Each is a link that can be bookmarked or shared. */
export function FolderPane({ folders, intents, labels, assignees, senders }: Props) {
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-4 text-sm max-lg:hidden">
      <Group title="Folders">
        {folders.map((place) => (
          <Row key={place.href} place={place} />
        ))}
      </Group>
      {intents.length > 0 && (
        <Group title="Intents">
          {intents.map((place) => (
            <Row key={place.href} place={place} />
          ))}
        </Group>
      )}
      {assignees.length > 0 && (
        <Group title="Assigned to">
          {assignees.map((place) => (
            <Row key={place.href} place={place} />
          ))}
        </Group>
      )}
      {labels.length > 0 && (
        <Group title="Labels">
          {labels.map((place) => (
            <Row key={place.href} place={place} dot={place.label.color}>
              {place.remove && <LabelActs place={place} remove={place.remove} />}
            </Row>
          ))}
        </Group>
      )}
      {senders.length > 2 && (
        <Group title="Mailboxes and accounts">
          {senders.map((place) => (
            <Row key={place.href} place={place} />
          ))}
        </Group>
      )}
    </div>
  )
}

function Group({ title, children }: { title: string; children: ReactNode }) {
  return (
    <nav aria-label={title}>
      <p aria-hidden className="px-2 pb-1 text-xs font-medium text-muted">
        {title}
      </p>
      <ul>{children}</ul>
    </nav>
  )
}

function Row({ place, dot, children }: { place: Place; dot?: LabelColor; children?: ReactNode }) {
  const { href, name, count, current } = place
  return (
    <li className="flex items-center">
      <Link
        href={href}
        scroll={false}
        aria-current={current ? 'true' : undefined}
        className={clsx(
          'flex min-h-8 min-w-0 flex-1 items-center gap-2 rounded-sm px-2 py-1 hover:bg-hover',
          current && 'bg-accent-subtle font-medium text-accent-text',
        )}
      >
        {dot && <span aria-hidden className={`size-2 shrink-0 rounded-full ${LABEL_DOTS[dot]}`} />}
        <span
          className={clsx(
            'block min-w-0 flex-1 leading-tight wrap-anywhere',
            dot && 'first-letter:uppercase',
          )}
        >
          {breakable(name)}
        </span>
        {count !== undefined && count > 0 && (
          <span className="text-xs text-muted">{count.toLocaleString('en')}</span>
        )}
      </Link>
      {children}
    </li>
  )
}

function LabelActs({ place, remove }: { place: LabelPlace; remove: Act }) {
  const { label } = place.label
  const count = place.label.threads
  return (
    <Menu label={`Label ${label}`}>
      {LABEL_COLORS.map((color) => (
        <MenuAction key={color} act={place.paint(color)}>
          <span aria-hidden className={`size-2 rounded-full ${LABEL_DOTS[color]}`} /> {COLOR_LABELS[color]}
        </MenuAction>
      ))}
      <MenuAction
        danger
        act={remove}
        confirm={{
          title: `Delete the label ${labelText(label)}?`,
          description: `It is removed from ${count} ${count === 1 ? 'conversation' : 'conversations'}. The conversations stay.`,
          label: 'Delete label',
          danger: true,
        }}
      >
        Delete
      </MenuAction>
    </Menu>
  )
}
