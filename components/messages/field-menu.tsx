'use client'

import { Braces } from 'lucide-react'
import { buttonClass } from '#components/ui/controls/button'
import { Menu } from '#components/ui/overlays/menu'
import { MenuChoice } from '#components/ui/overlays/menu-choice'

/** A menu of all merge fields, for users who do not type braces. */
export function FieldMenu({ fields, insert }: { fields: string[]; insert: (name: string) => void }) {
  if (fields.length === 0) return null
  return (
    <Menu
      label="Insert a merge field"
      triggerClass={buttonClass({ variant: 'ghost', size: 'sm' })}
      trigger={
        <>
          <Braces aria-hidden /> Insert a merge field
        </>
      }
    >
      <div className="max-h-72 overflow-y-auto">
        {fields.map((name) => (
          <MenuChoice key={name} onChoose={() => insert(name)}>
            <span className="truncate">{name}</span>
          </MenuChoice>
        ))}
      </div>
    </Menu>
  )
}
