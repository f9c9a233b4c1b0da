'use client'

import { Command } from 'cmdk'
import { useRouter } from 'next/navigation'
import { useEffect, useRef, useState } from 'react'
import { Kbd } from '#components/ui/kbd'
import { type SearchAll, useHits } from './hits.tsx'
import type { Jump } from './nav-items.tsx'

type Props = { jumps: Jump[]; search: SearchAll; onClose: () => void; onHelp: () => void }

/** Go anywhere, start anything. Opened in the browser's own modal, so the page behind is inert. */
export function CommandMenu({ jumps, search, onClose, onHelp }: Props) {
  const router = useRouter()
  const [wanted, setWanted] = useState('')
  const hits = useHits(wanted, search)
  const [selected, setSelected] = useState('')
  const first = hits[0]?.href
  // They come after the typing, when the menu has made its choice already.
  useEffect(() => {
    if (first) setSelected(first)
  }, [first])
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.focus()
  }, [])

  function choose(act: () => void) {
    onClose()
    act()
  }
  const group =
    '[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:text-muted'
  const item =
    'flex h-9 items-center justify-between rounded-sm px-2 text-sm data-[selected=true]:bg-hover cursor-pointer'

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop is a second way; Esc is the keyboard's
    <dialog
      ref={dialog}
      aria-label="Command menu"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      className="mx-auto mt-[12vh] w-[calc(100vw-2rem)] max-w-lg overflow-hidden rounded-lg bg-raised p-0 shadow-raised open:animate-enter"
    >
      <Command label="Command menu" loop value={selected} onValueChange={setSelected}>
        <Command.Input
          value={wanted}
          onValueChange={setWanted}
          placeholder="Search, go somewhere or start something"
          className="h-12 w-full border-b border-border bg-transparent px-4 text-lg placeholder:text-muted focus-visible:outline-none sm:text-base"
        />
        <Command.List className="max-h-[50vh] overflow-y-auto p-2">
          {hits.length === 0 && (
            <Command.Empty className="px-2 py-6 text-center text-sm text-muted">
              Nothing has that name.
            </Command.Empty>
          )}
          {hits.length > 0 && (
            <Command.Group heading="Found" className={group} forceMount>
              {hits.map((hit) => (
                <Command.Item
                  key={hit.href}
                  value={hit.href}
                  forceMount
                  onSelect={() => choose(() => router.push(hit.href))}
                  className={`${item} gap-4`}
                >
                  <span className="truncate">{hit.title}</span>
                  <span className="shrink-0 text-xs text-muted">{hit.kind}</span>
                </Command.Item>
              ))}
            </Command.Group>
          )}
          <Command.Group heading="Go to" className={group}>
            {jumps
              .filter((jump) => jump.keys)
              .map((jump) => (
                <Command.Item
                  key={jump.href}
                  onSelect={() => choose(() => router.push(jump.href))}
                  className={item}
                >
                  {jump.label}
                  <span className="flex gap-1">
                    <Kbd>g</Kbd>
                    <Kbd>{jump.keys ?? ''}</Kbd>
                  </span>
                </Command.Item>
              ))}
          </Command.Group>
          <Command.Group heading="Start" className={group}>
            {jumps
              .filter((jump) => !jump.keys)
              .map((jump) => (
                <Command.Item
                  key={jump.href}
                  onSelect={() => choose(() => router.push(jump.href))}
                  className={item}
                >
                  {jump.label}
                </Command.Item>
              ))}
            <Command.Item onSelect={() => choose(onHelp)} className={item}>
              Keyboard shortcuts <Kbd>?</Kbd>
            </Command.Item>
          </Command.Group>
        </Command.List>
      </Command>
    </dialog>
  )
}
