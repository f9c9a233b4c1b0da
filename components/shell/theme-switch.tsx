'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { SegmentedControl } from '#components/ui/segmented-control'
import { chooseTheme, chosenTheme, THEME_CHOSEN, type Theme } from './theme.ts'

const OPTIONS = [
  { value: 'system', label: <Choice icon={<Monitor />} name="System" /> },
  { value: 'light', label: <Choice icon={<Sun />} name="Light" /> },
  { value: 'dark', label: <Choice icon={<Moon />} name="Dark" /> },
]

function Choice({ icon, name }: { icon: ReactNode; name: string }) {
  return (
    <span title={name} className="inline-flex">
      {icon}
      <span className="sr-only">{name}</span>
    </span>
  )
}

/** One of three, shown as chosen wherever else it may have been changed. */
export function ThemeSwitch() {
  // The shell shows two switches, one hidden; radio buttons of one name would be one group.
  const name = useId()
  const [theme, setTheme] = useState<Theme>('system')
  useEffect(() => {
    const read = () => setTheme(chosenTheme())
    read()
    document.addEventListener(THEME_CHOSEN, read)
    return () => document.removeEventListener(THEME_CHOSEN, read)
  }, [])
  return (
    <SegmentedControl
      legend="Theme"
      name={name}
      options={OPTIONS}
      value={theme}
      onChange={(next) => chooseTheme(next as Theme)}
    />
  )
}
