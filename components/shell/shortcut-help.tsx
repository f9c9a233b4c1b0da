'use client'

import { Kbd } from '#components/ui/kbd'
import { ScrollArea } from '#components/ui/layout/scroll-area'
import { Dialog } from '#components/ui/overlays/dialog'
import type { Jump } from './nav-items.tsx'

type Row = [keys: string[], meaning: string]

const ANYWHERE: Row[] = [
  [['Ctrl', 'K'], 'Command menu'],
  [['Ctrl', 'J'], 'Assistant'],
  [['?'], 'This help'],
  [['Esc'], 'Close the open panel'],
]
const LISTS: Row[] = [
  [['/'], 'Search the list'],
  [['j'], 'Next row'],
  [['k'], 'Previous row'],
  [['Enter'], 'Open the row'],
  [['x'], 'Select the row'],
]
const CONVERSATION: Row[] = [
  [['r'], 'Answer'],
  [['e'], 'Archive or reopen'],
  [['s'], 'Snooze'],
  [['i'], 'Set intent, or press 1 to 9'],
  [['u'], 'Unread'],
  [['l'], 'Labels'],
]
const REVIEW: Row[] = [
  [['a'], 'Approve the text'],
  [['r'], 'Reject it'],
  [['e'], 'Edit it'],
]

export function ShortcutHelp({ jumps, onClose }: { jumps: Jump[]; onClose: () => void }) {
  const places = jumps.map(({ keys, label }): Row => [['g', keys], label])
  return (
    <Dialog
      isOpen
      wide
      onClose={onClose}
      title="Keyboard shortcuts"
      description="Single keys are off while you type. On a Mac, use Cmd instead of Ctrl."
    >
      <ScrollArea label="Shortcuts" className="grid gap-x-10 gap-y-5 sm:grid-cols-2">
        <div className="grid content-start gap-5">
          <Keys heading="Anywhere" rows={ANYWHERE} />
          <Keys heading="In a list" rows={LISTS} />
          <Keys heading="In a conversation" rows={CONVERSATION} />
          <Keys heading="Reviewing texts" rows={REVIEW} />
        </div>
        <Keys heading="Go to (press one after the other)" rows={places} />
      </ScrollArea>
    </Dialog>
  )
}

function Keys({ heading, rows }: { heading: string; rows: Row[] }) {
  return (
    <section>
      <h3 className="mb-1.5 text-xs font-medium text-muted">{heading}</h3>
      <dl className="grid gap-1.5 text-sm">
        {rows.map(([keys, meaning]) => (
          <div key={meaning} className="flex items-center justify-between gap-4">
            <dt>{meaning}</dt>
            <dd className="flex gap-1">
              {keys.map((key) => (
                <Kbd key={key}>{key}</Kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
