'use client'

import { Dialog } from '#components/ui/dialog'
import { Kbd } from '#components/ui/kbd'
import type { Jump } from './nav-items.tsx'

const GENERAL: [string[], string][] = [
  [['Ctrl', 'K'], 'Command menu (Cmd on a Mac)'],
  [['/'], 'Search this list'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['Esc'], 'Close what is open'],
  [['?'], 'This help'],
]

export function ShortcutHelp({ jumps, onClose }: { jumps: Jump[]; onClose: () => void }) {
  const places = jumps.flatMap((jump): [string[], string][] =>
    jump.keys ? [[['g', jump.keys], jump.label]] : [],
  )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Keyboard shortcuts"
      description="Single keys rest while you type."
    >
      <div className="grid gap-x-8 gap-y-5 sm:grid-cols-2">
        <Keys rows={GENERAL} />
        <Keys rows={places} />
      </div>
    </Dialog>
  )
}

function Keys({ rows }: { rows: [string[], string][] }) {
  return (
    <dl className="grid content-start gap-1.5 text-sm">
      {rows.map(([keys, meaning]) => (
        <div key={meaning} className="flex items-center justify-between gap-4">
          <dt className="text-muted">{meaning}</dt>
          <dd className="flex gap-1">
            {keys.map((key) => (
              <Kbd key={key}>{key}</Kbd>
            ))}
          </dd>
        </div>
      ))}
    </dl>
  )
}
