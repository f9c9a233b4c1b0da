import { Download } from 'lucide-react'
import { buttonClass } from '../controls/button.tsx'
import { Menu } from './menu.tsx'
import { menuItemClass } from './menu-item-class.tsx'

const FORMATS = { csv: 'CSV', xlsx: 'Excel (.xlsx)' }

type Props = {
  path: string
  /** Offers each format also with the source of each cell. */
  sources?: boolean
  label?: string
}

/** Downloads of a table, one link per format. */
export function ExportMenu({ path, sources, label: name = 'Export' }: Props) {
  const query = path.includes('?') ? '&' : '?'
  const links = Object.entries(FORMATS).flatMap(([format, label]) => [
    [`${path}${query}format=${format}`, label],
    ...(sources ? [[`${path}${query}format=${format}&sources=true`, `${label}, with sources`]] : []),
  ])
  return (
    <Menu
      label={name}
      triggerClass={buttonClass()}
      trigger={
        <>
          <Download aria-hidden /> {name}
        </>
      }
    >
      {links.map(([href, label]) => (
        <a key={href} href={href} download role="menuitem" tabIndex={-1} className={menuItemClass()}>
          {label}
        </a>
      ))}
    </Menu>
  )
}
