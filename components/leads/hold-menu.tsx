'use client'

import { CalendarClock } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { buttonClass } from '#components/ui/controls/button'
import { TimeMenu } from '#components/ui/overlays/time-menu'
import { useRun } from '#components/ui/use-action'

type Props = Pick<ComponentProps<typeof TimeMenu>, 'choices' | 'zone'> & {
  act: (until: string) => Promise<FormResult>
}

/** Sets until when no campaign contacts the person. */
export function HoldMenu({ act, ...times }: Props) {
  const [run] = useRun()
  return (
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
      onChoose={(until) => run(() => act(until))}
    />
  )
}
