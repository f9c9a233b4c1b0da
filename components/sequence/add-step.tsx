'use client'

import { Plus } from 'lucide-react'
import { buttonClass } from '#components/ui/controls/button'
import { Menu } from '#components/ui/overlays/menu'
import { KIND_LIST, KINDS, type Kind } from './kinds.tsx'

type Props = {
  label: string
  compact?: boolean
  findObstacle: (kind: Kind) => string | null
  onAdd: (kind: Kind) => void
}

/**
 * A menu of all kinds of steps. A step that is currently impossible can still be added, with the reason
 * shown.
 */
export function AddStep({ label, compact, findObstacle, onAdd }: Props) {
  return (
    <Menu
      label={label}
      triggerClass={
        compact
          ? buttonClass({ variant: 'ghost', size: 'icon-sm' })
          : buttonClass({ className: 'w-full border-dashed' })
      }
      trigger={
        <>
          <Plus aria-hidden /> {!compact && label}
        </>
      }
    >
      <div className="max-h-[min(28rem,70dvh)] w-72 overflow-y-auto">
        {KIND_LIST.map((kind) => {
          const { label: name, about, icon: Icon } = KINDS[kind]
          const obstacle = findObstacle(kind)
          return (
            <button
              key={kind}
              type="button"
              role="menuitem"
              tabIndex={-1}
              className="flex w-full items-start gap-2.5 rounded-xs px-2 py-1.5 text-left text-sm hover:bg-hover focus-visible:bg-hover focus-visible:-outline-offset-2"
              onClick={(event) => {
                event.currentTarget.closest<HTMLElement>('[popover]')?.hidePopover()
                onAdd(kind)
              }}
            >
              <Icon aria-hidden className="mt-0.5 size-4 shrink-0 text-muted" />
              <span className="min-w-0">
                {name}
                <span className={`block text-xs ${obstacle ? 'text-warning' : 'text-muted'}`}>
                  {obstacle ?? about}
                </span>
              </span>
            </button>
          )
        })}
      </div>
    </Menu>
  )
}
