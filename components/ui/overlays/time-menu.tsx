'use client'

import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import type { FormResult } from '../controls/action-form.tsx'
import { useRun } from '../use-action.tsx'
import { Menu } from './menu.tsx'
import { MenuChoice } from './menu-choice.tsx'

// Time zones are much script, and wanted by who picks a time of their own.
const TimeDialog = dynamic(() => import('./time-dialog.tsx').then((module) => module.TimeDialog), {
  loading: () => null,
})

export type TimeChoice = { label: string; until: string; at: string }

type Props = {
  label: string
  hint?: string
  trigger: ReactNode
  triggerClass: string
  choices: TimeChoice[]
  /** What the dialog of a time of one's own is called, and its button. */
  title: string
  verb: string
  zone: string
  act: (until: string) => Promise<FormResult>
}

/** A menu of times, and any other: `act` does with one what the menu is for. */
export function TimeMenu({ choices, title, verb, zone, act, ...menu }: Props) {
  const [isAsking, setAsking] = useState(false)
  const [run] = useRun()
  const choose = (until: string) => run(() => act(until))
  return (
    <>
      <Menu {...menu}>
        {choices.map(({ label, until, at }) => (
          <MenuChoice key={label} onChoose={() => choose(until)}>
            <span className="flex-1">{label}</span>
            <span className="pl-4 text-xs text-muted">{at}</span>
          </MenuChoice>
        ))}
        <MenuChoice onChoose={() => setAsking(true)}>Pick a time…</MenuChoice>
      </Menu>
      {isAsking && (
        <TimeDialog
          title={title}
          label={verb}
          zone={zone}
          onChoose={choose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
