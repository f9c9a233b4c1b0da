'use client'

import { AlarmClock } from 'lucide-react'
import type { ComponentProps } from 'react'
import type { FormResult } from '#components/ui/controls/action-form'
import { buttonClass } from '#components/ui/controls/button'
import { TimeMenu } from '#components/ui/overlays/time-menu'
import { useRun } from '#components/ui/use-action'

type Props = Pick<ComponentProps<typeof TimeMenu>, 'choices' | 'zone'> & {
  act: (until: string) => Promise<FormResult>
}

/** Hides the conversation until a time; a new message brings it back earlier. */
export function SnoozeMenu({ act, ...times }: Props) {
  const [run] = useRun()
  return (
    <span data-key="s">
      <TimeMenu
        label="Snooze"
        hint="Snooze (s)"
        triggerClass={buttonClass({ variant: 'ghost', size: 'icon' })}
        trigger={<AlarmClock aria-hidden />}
        title="Snooze until"
        verb="Snooze"
        {...times}
        onChoose={(until) => run(() => act(until))}
      />
    </span>
  )
}
