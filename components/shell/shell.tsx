import type { ComponentProps, ReactNode } from 'react'
import { AssistantDrawer } from '#components/assistant/drawer'
import { AssistantTrigger } from '#components/assistant/trigger'
import { NotificationBell } from '#components/telling/bell'
import { TimeHints } from '#components/ui/time-hints'
import { BottomBar } from './bottom-bar.tsx'
import { Logo } from './logo.tsx'
import type { Commands } from './menu/open-record.tsx'
import type { SearchAll } from './menu/search-hits.tsx'
import { NAV_ITEMS } from './nav-items.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { Rail } from './rail.tsx'
import { SearchTrigger } from './search-trigger.tsx'
import { SessionGuard } from './session/session-guard.tsx'
import { Shortcuts } from './shortcuts.tsx'
import { type ShellUser, UserMenu } from './user-menu.tsx'
import type { Waiting } from './waiting-count.tsx'
import { nameOfSeveral, type ShellWorkspace } from './workspaces.tsx'

type Props = {
  user: ShellUser
  /** The workspace of these pages. */
  workspaceId: string
  workspaces: ShellWorkspace[]
  /** Paths of the navigation that the user's role may not open; they are left out. */
  closed: string[]
  waiting: Waiting
  bell: Omit<ComponentProps<typeof NotificationBell>, 'short'>
  signOut: () => Promise<void>
  search: SearchAll
  commands: Omit<Commands, 'workspaces' | 'closed'>
  assistantToken: () => Promise<string>
  children: ReactNode
}

/** The frame of every dashboard page; each page has its own PageHeader. */
export function Shell({
  user,
  workspaceId,
  workspaces,
  closed,
  waiting,
  bell,
  signOut,
  search,
  commands,
  assistantToken,
  children,
}: Props) {
  const items = NAV_ITEMS.filter(({ href }) => !closed.includes(href))
  const jumps = items.map(({ href, label, keys }) => ({ href, label, keys }))
  return (
    <div className="min-h-dvh sm:grid sm:grid-cols-[3.75rem_minmax(0,1fr)] lg:grid-cols-[14rem_minmax(0,1fr)]">
      <a
        href="#content"
        className="fixed top-2 left-2 z-30 -translate-y-16 rounded-sm bg-inverse px-3 py-2 text-sm text-on-inverse focus:translate-y-0"
      >
        Skip to content
      </a>
      <Rail
        items={items}
        search={
          <>
            <SearchTrigger />
            <AssistantTrigger />
            <NotificationBell {...bell} />
          </>
        }
        user={<UserMenu user={user} workspaces={workspaces} signOut={signOut} />}
        waiting={waiting}
      />
      <header className="flex h-12 items-center justify-between border-b border-border pr-2 pl-4 sm:hidden">
        <span className="flex min-w-0 items-center gap-2 font-semibold tracking-tight">
          <Logo /> <span className="truncate">{nameOfSeveral(workspaces) ?? 'Opener'}</span>
        </span>
        <span className="flex shrink-0">
          <SearchTrigger short />
          <AssistantTrigger short />
          <NotificationBell {...bell} short />
          <UserMenu user={user} workspaces={workspaces} signOut={signOut} short />
        </span>
      </header>
      <main id="content" tabIndex={-1} className="min-w-0 max-sm:pb-16 focus-visible:outline-none">
        {children}
      </main>
      <BottomBar items={items} waiting={waiting} />
      <Shortcuts jumps={jumps} search={search} commands={{ ...commands, workspaces, closed }} />
      <AssistantDrawer token={assistantToken} />
      <OfflineBanner />
      <SessionGuard workspaceId={workspaceId} />
      <TimeHints />
    </div>
  )
}
