'use client'

import { Monitor, Moon, Sun } from 'lucide-react'
import { type ReactNode, useEffect, useId, useState } from 'react'
import { SegmentedControl } from '#components/ui/segmented-control'

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

/** Writes the cookie that the server reads for the first paint, and turns the page over at once. */
export function ThemeSwitch() {
  // The shell shows two switches, one hidden; radio buttons of one name would be one group.
  const name = useId()
  const [theme, setTheme] = useState('system')
  useEffect(() => setTheme(document.documentElement.dataset.theme ?? 'system'), [])

  function choose(next: string) {
    setTheme(next)
    if (next === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = next
    // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing in Safari and Firefox
    document.cookie = `theme=${next}; path=/; max-age=31536000; samesite=lax`
  }

  return <SegmentedControl legend="Theme" name={name} options={OPTIONS} value={theme} onChange={choose} />
}
