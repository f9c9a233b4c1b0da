'use client'

import dynamic from 'next/dynamic'
import { usePathname, useRouter } from 'next/navigation'
import { useCallback, useEffect, useState } from 'react'
import { leave } from '#components/drafts/leaving'
import { useRun } from '#components/ui/use-action'
import type { Commands } from './menu/open-record.tsx'
import type { SearchAll } from './menu/search-hits.tsx'
import type { Jump } from './nav-items.tsx'

const CommandMenu = dynamic(() => import('./menu/command-menu.tsx').then((module) => module.CommandMenu), {
  loading: () => null,
})
const ShortcutHelp = dynamic(() => import('./shortcut-help.tsx').then((module) => module.ShortcutHelp), {
  loading: () => null,
})

const SECOND_STROKE_MS = 1000
const TYPED_INTO = 'input:not([type=checkbox], [type=radio], [type=button]), textarea, select'

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && (target.isContentEditable || target.matches(TYPED_INTO))
}

/**
 * After navigation by keyboard or screen reader, moves the focus to the page's content if it was in the
 * navigation or on an element that is gone. A focus inside the page or a panel is kept.
 */
function useContentFocus() {
  const path = usePathname()
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is left is left for another path
  useEffect(
    () => () => {
      if (document.activeElement?.matches('body, nav *, header *'))
        document.getElementById('content')?.focus({ preventScroll: true })
    },
    [path],
  )
}

/**
 * Global shortcuts: Ctrl/Cmd+K, `g` and a letter, `/`, `?`, `j`/`k` over rows. Single keys are disabled while
 * typing and inside dialogs and menus. The menus' code loads on first use.
 */
export function Shortcuts(props: { jumps: Jump[]; search: SearchAll; commands: Commands }) {
  const { jumps } = props
  const router = useRouter()
  const [run] = useRun()
  const [open, setOpen] = useState<'menu' | 'help' | null>(null)
  useContentFocus()

  useEffect(() => {
    const root = document.documentElement
    let timer: ReturnType<typeof setTimeout>
    function onKey(event: KeyboardEvent) {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === 'k') {
        event.preventDefault()
        const menu = document.querySelector<HTMLDialogElement>('dialog[data-command-menu]')
        if (menu) menu.close()
        else setOpen('menu')
        return
      }
      const isBusy = isTyping(event.target) || document.querySelector('dialog[open], [popover]:popover-open')
      if (isBusy || event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey) return
      const jump = root.hasAttribute('data-jump') && jumps.find((item) => item.keys === event.key)
      clearTimeout(timer)
      // Set until all listeners have run, so that pages with their own shortcuts ignore the second key.
      const isFirst = !jump && event.key === 'g'
      if (isFirst) root.setAttribute('data-jump', '')
      timer = setTimeout(() => root.removeAttribute('data-jump'), isFirst ? SECOND_STROKE_MS : 0)
      if (jump) return leave(router, jump.href)
      if (event.key === '?') setOpen('help')
      if (event.key === '/') focusSearch(event)
      if (event.key === 'j' || event.key === 'k') moveRow(event.key === 'j' ? 1 : -1)
    }
    const onMenu = () => setOpen('menu')
    document.addEventListener('keydown', onKey)
    document.addEventListener('opener:command-menu', onMenu)
    return () => {
      document.removeEventListener('keydown', onKey)
      document.removeEventListener('opener:command-menu', onMenu)
    }
  }, [jumps, router])

  // Help may be opened from the menu, which closes a moment later and must not close the help too.
  const closeMenu = () => setOpen((now) => (now === 'menu' ? null : now))
  const openHelp = useCallback(() => setOpen('help'), [])
  return (
    <>
      {open === 'menu' && <CommandMenu {...props} run={run} onClose={closeMenu} onHelp={openHelp} />}
      {open === 'help' && <ShortcutHelp jumps={jumps} onClose={() => setOpen(null)} />}
    </>
  )
}

function focusSearch(event: Event) {
  const search = document.querySelector<HTMLInputElement>('[data-shortcut="search"]')
  if (!search) return
  event.preventDefault()
  search.focus()
}

/** A row is represented by its main link: focusing the link selects the row, and Enter opens it. */
function moveRow(by: number) {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-link]')]
  const at = rows.findIndex((row) => row.matches(':focus'))
  rows[Math.max(0, Math.min(rows.length - 1, at + by))]?.focus()
}
