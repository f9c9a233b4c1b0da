'use client'

import { Lock } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { useLock } from '../controls/lock.tsx'
import { Menu } from './menu.tsx'
import { MenuChoice } from './menu-choice.tsx'

// Time zone code is large and only needed for a custom time.
const TimeDialog = dynamic(() => import('./time-dialog.tsx').then((module) => module.TimeDialog), {
  loading: () => null,
})

/** `until`: an ISO 8601 instant; `at`: its display text. */
export type TimeChoice = { label: string; until: string; at: string }

type Props = {
  label: string
  hint?: string
  trigger: ReactNode
  triggerClass: string
  choices: TimeChoice[]
  /** Title of the dialog for a custom time, and its button. */
  title: string
  verb: string
  zone: string
  onChoose: (until: string) => void
}

/** A menu of suggested times, and a custom one. */
export function TimeMenu({ choices, title, verb, zone, onChoose, ...menu }: Props) {
  const [isAsking, setAsking] = useState(false)
  const lock = useLock()
  const locked = lock && <Lock aria-hidden className="ml-auto text-muted" />
  return (
    <>
      <Menu {...menu}>
        {choices.map(({ label, until, at }) => (
          <MenuChoice key={label} onChoose={() => (lock ? lock.ask() : onChoose(until))}>
            <span className="flex-1">{label}</span>
            <span className="pl-4 text-xs text-muted">{at}</span>
            {locked}
          </MenuChoice>
        ))}
        <MenuChoice onChoose={() => (lock ? lock.ask() : setAsking(true))}>Pick a time…{locked}</MenuChoice>
      </Menu>
      {isAsking && (
        <TimeDialog
          title={title}
          label={verb}
          zone={zone}
          onChoose={onChoose}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
