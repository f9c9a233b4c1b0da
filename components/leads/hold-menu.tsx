'use client'

import { CalendarClock } from 'lucide-react'
import type { ComponentProps } from 'react'
import { buttonClass } from '#components/ui/controls/button'
import { TimeMenu } from '#components/ui/overlays/time-menu'

type Props = Pick<ComponentProps<typeof TimeMenu>, 'choices' | 'zone' | 'act'>

/** Until when no campaign writes to the person. */
export const HoldMenu = (times: Props) => (
  <TimeMenu
    label="Hold until"
    triggerClass={buttonClass({ size: 'sm' })}
    trigger={
      <>
        <CalendarClock aria-hidden /> Hold until…
      </>
    }
    title="Hold until"
    verb="Hold"
    {...times}
  />
)
