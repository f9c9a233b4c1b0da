'use client'

import { Command } from 'cmdk'
import { usePathname, useRouter } from 'next/navigation'
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { leave } from '#components/drafts/leaving'
import type { Act } from '#components/ui/use-action'
import { CommandGroup } from './command-group.tsx'
import { bestGroups, buildGroups, hitLines } from './menu-commands.tsx'
import type { MenuGroup } from './menu-line.ts'
import type { Commands, OpenRecord } from './open-record.tsx'
import { type Hit, type SearchAll, useHits } from './search-hits.tsx'

type Props = {
  commands: Commands
  search: SearchAll
  run: (act: Act) => void
  onClose: () => void
  onHelp: () => void
}

/** Navigates anywhere and runs any allowed action. A native modal dialog, so the page behind is inert. */
export function CommandMenu({ commands, search, run, onClose, onHelp }: Props) {
  const router = useRouter()
  const [wanted, setWanted] = useState('')
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.focus()
  }, [])

  // The browser restores the focus when the dialog is closed, not when it is removed.
  const close = useCallback(() => dialog.current?.close(), [])
  const choose = useCallback(
    (act: () => void) => {
      close()
      act()
    },
    [close],
  )
  const go = useCallback((href: string) => choose(() => leave(router, href)), [choose, router])
  const openRecord = useOpenRecord(commands)
  const groups = useMemo(
    () => buildGroups(openRecord, commands, { go, choose, run, help: onHelp }),
    [openRecord, commands, go, choose, run, onHelp],
  )
  const hits = useHits(wanted, search)
  const { records, operations, selected, setSelected } = useSelected(hits)
  const shown = useInPieces([
    { id: 'results', heading: 'Results', lines: hitLines(records, go) },
    ...bestGroups(groups, wanted),
    { id: 'reference', heading: 'API reference', lines: hitLines(operations, go) },
  ])

  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: a click on the backdrop is a second way; Esc is the keyboard's
    <dialog
      ref={dialog}
      aria-label="Command menu"
      data-command-menu
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && close()}
      className="mx-auto mt-[12vh] w-[calc(100vw-2rem)] max-w-xl overflow-hidden rounded-lg bg-raised p-0 shadow-raised open:animate-enter max-sm:mt-4"
    >
      <Command label="Command menu" loop shouldFilter={false} value={selected} onValueChange={setSelected}>
        <Command.Input
          value={wanted}
          onValueChange={setWanted}
          placeholder="Search or run a command"
          className="h-12 w-full border-b border-border bg-transparent px-4 text-lg placeholder:text-muted focus-visible:outline-none sm:text-base"
        />
        <Command.List className="max-h-[min(60vh,28rem)] scroll-py-2 overflow-y-auto p-2 pt-0">
          {wanted && shown.length === 0 && (
            <div role="presentation" className="px-2 pt-8 pb-6 text-center text-sm text-muted">
              No results.
            </div>
          )}
          {shown.map((group) => (
            <CommandGroup key={group.id} {...group} />
          ))}
        </Command.List>
      </Command>
    </dialog>
  )
}

/** More than fit on the screen. */
const PIECE = 14

/**
 * Renders the input in the next frame and the list after it in pieces, so that typing does not have to wait
 * for the whole list.
 */
function useInPieces(groups: MenuGroup[]): MenuGroup[] {
  const total = groups.reduce((sum, { lines }) => sum + lines.length, 0)
  const [count, setCount] = useState(0)
  const isWhole = count >= total
  useEffect(() => {
    if (isWhole) return
    let timer: ReturnType<typeof setTimeout>
    // After the next frame, so that keys pressed meanwhile are handled first.
    const frame = requestAnimationFrame(() => {
      timer = setTimeout(() => setCount(count + PIECE))
    })
    return () => {
      cancelAnimationFrame(frame)
      clearTimeout(timer)
    }
  }, [count, isWhole])
  let room = count
  return groups
    .map((group) => {
      const lines = group.lines.slice(0, Math.max(0, room))
      room -= lines.length
      return { ...group, lines }
    })
    .filter(({ lines }) => lines.length > 0)
}

/**
 * Search results arrive after a default selection was made, which they replace; a choice by the user stays.
 */
function useSelected(hits: Hit[]) {
  const [selected, setSelected] = useState('')
  const records = hits.filter((hit) => !hit.isReference)
  const operations = hits.filter((hit) => hit.isReference)
  const [first, firstOperation = ''] = [records[0]?.href, operations[0]?.href]
  useEffect(() => {
    setSelected((current) => first ?? (current || firstOperation))
  }, [first, firstOperation])
  return { records, operations, selected, setSelected }
}

/** Loaded each time the menu opens, since the record's status may have changed. */
function useOpenRecord({ openRecord }: Commands): OpenRecord | null {
  const path = usePathname()
  const [record, setRecord] = useState<OpenRecord | null>(null)
  useEffect(() => {
    let isWanted = true
    // Without an answer the menu still navigates.
    openRecord(path)
      .then((answer) => isWanted && setRecord(answer))
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [openRecord, path])
  return record
}
