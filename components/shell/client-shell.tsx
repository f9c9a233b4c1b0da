import { ChartNoAxesColumn, Inbox, Settings } from 'lucide-react'
import type { ReactNode } from 'react'
import { TimeHints } from '#components/ui/time-hints'
import { BrandFrame } from '#components/workspaces/branding/brand-frame'
import { BrandMark } from '#components/workspaces/branding/brand-mark'
import type { Branding } from '#lib/contracts/workspaces/branding'
import { NavLink } from './nav-link.tsx'
import { OfflineBanner } from './offline-banner.tsx'
import { SessionGuard } from './session/session-guard.tsx'
import { type ShellUser, UserMenu } from './user-menu.tsx'
import type { ShellWorkspace } from './workspaces.tsx'

const PLACES = [
  { href: '/results', label: 'Results', icon: ChartNoAxesColumn },
  { href: '/results/inbox', label: 'Inbox', icon: Inbox },
  { href: '/settings/account', label: 'Account', icon: Settings, area: '/settings' },
]

type Props = {
  /** The name under which the client knows the workspace. */
  title: string
  branding: Branding
  user: ShellUser
  /** The workspace of these pages. */
  workspaceId: string
  workspaces: ShellWorkspace[]
  signOut: () => Promise<void>
  children: ReactNode
}

/** The frame around a client's pages: three links, on one line at every width. */
export function ClientShell({ title, branding, user, workspaceId, workspaces, signOut, children }: Props) {
  return (
    <BrandFrame accent={branding.accent}>
      <div className="min-h-dvh">
        <a
          href="#content"
          className="fixed top-2 left-2 z-30 -translate-y-16 rounded-sm bg-inverse px-3 py-2 text-sm text-on-inverse focus:translate-y-0"
        >
          Skip to content
        </a>
        <header className="flex flex-wrap items-center justify-between gap-x-6 border-b border-border px-4 sm:px-6">
          <BrandMark logo_url={branding.logo_url} name={title} className="min-h-12" />
          <nav aria-label="Main" className="max-sm:order-last max-sm:w-full max-sm:pb-2 sm:mr-auto">
            <ul className="flex gap-1">
              {PLACES.map(({ href, label, icon: Icon, area }) => (
                <li key={href}>
                  <NavLink
                    href={href}
                    area={area}
                    butNot={href === '/results' ? '/results/inbox' : undefined}
                    className="flex h-8 items-center gap-2 rounded-sm px-2.5 text-sm text-muted hover:bg-hover hover:text-text"
                    currentClass="bg-hover font-medium text-text [&_svg]:text-accent-text"
                  >
                    <Icon aria-hidden className="size-4" />
                    {label}
                  </NavLink>
                </li>
              ))}
            </ul>
          </nav>
          <UserMenu user={user} workspaces={workspaces} signOut={signOut} short />
        </header>
        <main id="content" tabIndex={-1} className="min-w-0 focus-visible:outline-none">
          {children}
        </main>
        <OfflineBanner />
        <SessionGuard workspaceId={workspaceId} />
        <TimeHints />
      </div>
    </BrandFrame>
  )
}
