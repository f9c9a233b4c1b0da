import { Download } from 'lucide-react'
import { buttonClass } from './button.tsx'
import { Menu } from './menu.tsx'
import { menuItemClass } from './menu-item-class.tsx'

const FORMATS = { csv: 'CSV', xlsx: 'Excel (.xlsx)' }

/** Downloads of a table, one link for each format. */
export function ExportMenu({ path }: { path: string }) {
  return (
    <Menu
      label="Export"
      triggerClass={buttonClass()}
      trigger={
        <>
          <Download aria-hidden /> Export
        </>
      }
    >
      {Object.entries(FORMATS).map(([format, label]) => (
        <a
          key={format}
          href={`${path}?format=${format}`}
          download
          role="menuitem"
          tabIndex={-1}
          className={menuItemClass()}
        >
          {label}
        </a>
      ))}
    </Menu>
  )
}
