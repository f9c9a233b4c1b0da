'use client'

import { AlarmClock } from 'lucide-react'
import { buttonClass } from '#components/ui/controls/button'
import { Menu } from '#components/ui/overlays/menu'
import { MenuAction } from '#components/ui/overlays/menu-item'
import type { Act } from '#components/ui/use-action'

type SnoozeAct = { label: string; at: string; act: Act }

/** Until when the conversation is out of sight; what comes in meanwhile brings it back. */
export function SnoozeMenu({ choices }: { choices: SnoozeAct[] }) {
  return (
    <span data-key="s">
      <Menu
        label="Snooze"
        hint="Snooze (s)"
        triggerClass={buttonClass({ variant: 'ghost', size: 'icon' })}
        trigger={<AlarmClock aria-hidden />}
      >
        {choices.map(({ label, at, act }) => (
          <MenuAction key={label} act={act}>
            <span className="flex-1">{label}</span>
            <span className="pl-4 text-xs text-muted">{at}</span>
          </MenuAction>
        ))}
      </Menu>
    </span>
  )
}
