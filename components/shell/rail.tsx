import type { ReactNode } from 'react'
import { Logo } from './logo.tsx'
import { NAV_SECTIONS, type NavItem } from './nav-items.tsx'
import { NavLink } from './nav-link.tsx'
import { type Waiting, WaitingCount } from './waiting-count.tsx'

/** Shows icons only between 640 and 1024 px, where the page needs the space. */
export function Rail({
  items,
  search,
  user,
  waiting,
}: {
  items: NavItem[]
  search: ReactNode
  user: ReactNode
  waiting: Waiting
}) {
  return (
    <header className="sticky top-0 hidden h-dvh flex-col border-r border-border bg-bg sm:flex">
      <div className="flex h-14 items-center gap-2 px-4 max-lg:justify-center max-lg:px-0">
        <Logo />
        <span className="font-semibold tracking-tight max-lg:sr-only">Opener</span>
      </div>
      <div className="px-2.5">{search}</div>
      <nav aria-label="Main" className="min-h-0 flex-1 overflow-y-auto px-2.5 py-2">
        {NAV_SECTIONS.map((section, index) => (
          <div key={section} className="py-1.5 max-lg:border-t max-lg:border-border max-lg:first:border-0">
            {index > 0 && section !== 'Settings' && (
              <p className="px-2 py-1 text-xs text-muted max-lg:sr-only">{section}</p>
            )}
            <ul>
              {items
                .filter((item) => item.section === section)
                .map(({ href, area, label, icon: Icon }) => (
                  <li key={href}>
                    <NavLink
                      href={href}
                      area={area}
                      title={label}
                      className="relative flex h-7 items-center gap-2.5 rounded-sm px-2 text-sm text-muted transition-colors hover:bg-hover hover:text-text max-lg:justify-center max-lg:px-0"
                      currentClass="bg-hover font-medium text-text [&_svg]:text-accent-text"
                    >
                      <Icon aria-hidden className="size-4 shrink-0" />
                      <span className="max-lg:sr-only">{label}</span>
                      <WaitingCount
                        count={waiting[href]}
                        className="ml-auto max-lg:absolute max-lg:top-0.5 max-lg:right-0.5"
                      />
                    </NavLink>
                  </li>
                ))}
            </ul>
          </div>
        ))}
      </nav>
      <div className="border-t border-border p-2.5">{user}</div>
    </header>
  )
}
