'use client'

import { Lock } from 'lucide-react'
import dynamic from 'next/dynamic'
import { type ReactNode, useState } from 'react'
import { useLock } from '../controls/lock.tsx'
import { Menu } from './menu.tsx'
import { MenuChoice } from './menu-choice.tsx'

// Time zones are much script, and wanted by who picks a time of their own.
const TimeDialog = dynamic(() => import('./time-dialog.tsx').then((module) => module.TimeDialog), {
  loading: () => null,
})

/** `until`: an instant in ISO 8601; `at`: how it reads. */
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
  onChoose: (until: string) => void
}

/** A menu of times, and of any other. */
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
