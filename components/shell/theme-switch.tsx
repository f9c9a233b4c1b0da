'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { useEffect, useState } from 'react'
import { chooseTheme, chosenTheme, THEME_CHOSEN, type Theme } from './theme.ts'

const THEMES = [
  { theme: 'system', name: 'System', Icon: Monitor },
  { theme: 'light', name: 'Light', Icon: Sun },
  { theme: 'dark', name: 'Dark', Icon: Moon },
] as const

/** Menu items for the three themes; reflects changes made elsewhere. */
export function ThemeSwitch() {
  const [chosen, setChosen] = useState<Theme>('system')
  useEffect(() => {
    const read = () => setChosen(chosenTheme())
    read()
    document.addEventListener(THEME_CHOSEN, read)
    return () => document.removeEventListener(THEME_CHOSEN, read)
  }, [])
  return (
    <fieldset
      aria-label="Theme"
      className="inline-flex gap-0.5 rounded-sm border border-border bg-sunken p-0.5"
    >
      {THEMES.map(({ theme, name, Icon }) => (
        <button
          key={theme}
          type="button"
          role="menuitemradio"
          aria-checked={chosen === theme}
          aria-label={name}
          title={name}
          tabIndex={-1}
          onClick={() => chooseTheme(theme)}
          className="grid h-6 w-7.5 place-items-center rounded-xs text-muted aria-checked:bg-raised aria-checked:text-text aria-checked:shadow-control aria-checked:ring-1 aria-checked:ring-border [&_svg]:size-3.5"
        >
          <Icon aria-hidden />
        </button>
      ))}
    </fieldset>
  )
}
