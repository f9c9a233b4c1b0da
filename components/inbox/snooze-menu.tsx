'use client'

import { AlarmClock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { buttonClass } from '#components/ui/controls/button'
import { TimeMenu } from '#components/ui/overlays/time-menu'

type Props = Pick<ComponentProps<typeof TimeMenu>, 'choices' | 'zone' | 'act'>

/** Until when the conversation is out of sight; what comes in meanwhile brings it back. */
export const SnoozeMenu = (times: Props) => (
  <span data-key="s">
    <TimeMenu
      label="Snooze"
      hint="Snooze (s)"
      triggerClass={buttonClass({ variant: 'ghost', size: 'icon' })}
      trigger={<AlarmClock aria-hidden />}
      title="Snooze until"
      verb="Snooze"
      {...times}
    />
  </span>
)
