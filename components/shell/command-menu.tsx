'use client'

import { Command } from 'cmdk'
import {
  Building2,
  CircleHelp,
  CornerDownRight,
  MessageCircle,
  Monitor,
  Moon,
  Sun,
  SunMoon,
} from 'lucide-react'
import { usePathname, useRouter } from 'next/navigation'
import { memo, useCallback, useDeferredValue, useEffect, useRef, useState } from 'react'
import { leave } from '#components/drafts/leaving'
import type { Act } from '#components/ui/use-action'
import { CommandGroup, CommandItem } from './command-item.tsx'
import { NAV_ITEMS } from './nav-items.tsx'
import type { Commands, OpenRecord } from './open-record.tsx'
import { FURTHER, REFERENCE, STARTS } from './places.tsx'
import { RecordCommands } from './record-commands.tsx'
import { type Hit, type SearchAll, useHits } from './search-hits.tsx'
import { chooseTheme, toggleTheme } from './theme.ts'
import { type ShellWorkspace, workspaceHref } from './workspaces.tsx'

type Props = {
  commands: Commands
  search: SearchAll
  run: (act: Act) => void
  onClose: () => void
  onHelp: () => void
}

/** Go anywhere, do anything allowed here. Opened in the browser's own modal, so the page behind is inert. */
export function CommandMenu({ commands, search, run, onClose, onHelp }: Props) {
  const router = useRouter()
  const [wanted, setWanted] = useState('')
  const { hits, of } = useHits(wanted, search)
  const openRecord = useOpenRecord(commands)
  const { records, operations, selected, setSelected } = useSelected(hits)
  // The field is there with the next frame, to be typed into; the list comes with the one after.
  const isListed = useDeferredValue(true, false)
  const dialog = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    dialog.current?.showModal()
    dialog.current?.querySelector('input')?.focus()
  }, [])

  // The browser gives the focus back as it closes the dialog, not when the dialog is taken away.
  const close = useCallback(() => dialog.current?.close(), [])
  const choose = useCallback(
    (act: () => void) => {
      close()
      act()
    },
    [close],
  )
  const go = useCallback((href: string) => choose(() => leave(router, href)), [choose, router])

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
      <Command label="Command menu" loop value={selected} onValueChange={setSelected}>
        <Command.Input
          value={wanted}
          onValueChange={setWanted}
          placeholder="Search, go somewhere or do something"
          className="h-12 w-full border-b border-border bg-transparent px-4 text-lg placeholder:text-muted focus-visible:outline-none sm:text-base"
        />
        <Command.List className="*:flex *:flex-col max-h-[min(60vh,28rem)] scroll-py-2 overflow-y-auto p-2 pt-0">
          {isListed && hits.length === 0 && (
            <Command.Empty className="px-2 pt-8 pb-6 text-center text-sm text-muted">
              No results.
            </Command.Empty>
          )}
          <Found heading="Results" hits={records} go={go} />
          {openRecord && (
            <RecordCommands
              openRecord={openRecord}
              commands={commands}
              go={go}
              run={(act) => choose(() => run(act))}
            />
          )}
          {isListed && <Always {...{ workspaces: commands.workspaces, go, choose, close, onHelp }} />}
          {/* The menu moves groups as one types: drawn anew, it stands at the end again, for keys too. */}
          <Found key={of} heading="API reference" hits={operations} go={go} isLast />
        </Command.List>
      </Command>
    </dialog>
  )
}

type AlwaysProps = Pick<Props, 'onHelp'> & {
  workspaces: ShellWorkspace[]
  go: Go
  choose: (act: () => void) => void
  close: () => void
}

/** What there is on every page: most of the list, not drawn anew with each letter. */
const Always = memo(({ workspaces, go, choose, close, onHelp }: AlwaysProps) => (
  <>
    <Places go={go} />
    <SwitchTo workspaces={workspaces} close={close} />
    <Anywhere choose={choose} onHelp={onHelp} />
  </>
))

/** What was found comes after the typing, when the menu has made its choice already: only one's own takes its place. */
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

type Go = (href: string) => void

type FoundProps = { heading: string; hits: Hit[]; go: Go; isLast?: boolean }

function Found({ heading, hits, go, isLast }: FoundProps) {
  if (hits.length === 0) return null
  return (
    <CommandGroup heading={heading} always isLast={isLast}>
      {hits.map((hit) => (
        <CommandItem
          key={hit.href}
          value={hit.href}
          label={hit.title}
          icon={CornerDownRight}
          detail={hit.kind}
          always
          act={() => go(hit.href)}
        />
      ))}
    </CommandGroup>
  )
}

function Places({ go }: { go: Go }) {
  return (
    <>
      <CommandGroup heading="Create">
        {STARTS.map(({ href, label, icon }) => (
          <CommandItem key={href} label={label} icon={icon} act={() => go(href)} />
        ))}
      </CommandGroup>
      <CommandGroup heading="Go to">
        {NAV_ITEMS.map(({ href, label, icon, keys }) => (
          <CommandItem key={href} label={label} icon={icon} keys={['g', keys]} act={() => go(href)} />
        ))}
        {FURTHER.map(({ href, label, icon }) => (
          <CommandItem key={href} label={label} icon={icon} act={() => go(href)} />
        ))}
        <CommandItem {...REFERENCE} keywords={['docs', 'openapi']} act={() => go(REFERENCE.href)} />
      </CommandGroup>
    </>
  )
}

/** The other workspaces that one belongs to. */
function SwitchTo({ workspaces, close }: { workspaces: ShellWorkspace[]; close: () => void }) {
  const others = workspaces.filter(({ isCurrent }) => !isCurrent)
  if (others.length === 0) return null
  return (
    <CommandGroup heading="Switch to">
      {others.map((workspace) => (
        <CommandItem
          key={workspace.workspace_id}
          value={workspace.workspace_id}
          label={workspace.name}
          icon={Building2}
          keywords={['workspace', 'switch', workspace.name]}
          act={() => {
            close()
            window.location.assign(workspaceHref(workspace))
          }}
        />
      ))}
    </CommandGroup>
  )
}

/** What can be done on whichever page. */
function Anywhere({ choose, onHelp }: { choose: (act: () => void) => void; onHelp: () => void }) {
  return (
    <CommandGroup heading="Actions">
      <CommandItem
        label="Ask the assistant"
        icon={MessageCircle}
        keys={['Ctrl', 'J']}
        act={() => choose(() => document.dispatchEvent(new Event('opener:assistant')))}
      />
      <CommandItem label="Toggle theme" icon={SunMoon} act={() => choose(toggleTheme)} />
      <CommandItem label="Theme: light" icon={Sun} act={() => choose(() => chooseTheme('light'))} />
      <CommandItem label="Theme: dark" icon={Moon} act={() => choose(() => chooseTheme('dark'))} />
      <CommandItem label="Theme: system" icon={Monitor} act={() => choose(() => chooseTheme('system'))} />
      <CommandItem label="Keyboard shortcuts" icon={CircleHelp} keys={['?']} act={() => choose(onHelp)} />
    </CommandGroup>
  )
}

/** Asked anew each time the menu opens: what was active may be paused by now. */
function useOpenRecord({ openRecord }: Commands): OpenRecord | null {
  const path = usePathname()
  const [record, setRecord] = useState<OpenRecord | null>(null)
  useEffect(() => {
    let isWanted = true
    // Without an answer the menu still goes places.
    openRecord(path)
      .then((answer) => isWanted && setRecord(answer))
      .catch(() => undefined)
    return () => {
      isWanted = false
    }
  }, [openRecord, path])
  return record
}
