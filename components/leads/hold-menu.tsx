'use client'

import { CalendarClock } from 'lucide-react'
import { buttonClass } from '#components/ui/controls/button'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction } from '#components/ui/overlays/menu-item'
import type { Act } from '#components/ui/use-action'

type HoldAct = { label: string; at: string; act: Act }

/** Until when no campaign writes to the person. */
export function HoldMenu({ choices }: { choices: HoldAct[] }) {
  return (
    <Menu
      label="Hold until"
      triggerClass={buttonClass({ size: 'sm' })}
      trigger={
        <>
          <CalendarClock aria-hidden /> Hold until…
        </>
      }
    >
      {choices.map(({ label, at, act }) => (
        <MenuAction key={label} act={act}>
          <span className="flex-1">{label}</span>
          <span className="pl-4 text-xs text-muted">{at}</span>
        </MenuAction>
      ))}
    </Menu>
  )
}
