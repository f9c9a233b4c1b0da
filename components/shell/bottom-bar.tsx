import { Ellipsis } from 'lucide-react'
import { Menu } from '#components/ui/overlays/menu'
import { menuItemClass } from '#components/ui/overlays/menu-item-class'
import { NAV_SECTIONS, type NavItem } from './nav-items.tsx'
import { NavLink } from './nav-link.tsx'
import { type Waiting, WaitingCount } from './waiting-count.tsx'

/** The navigation on phones: four pages, and a menu for the rest. */
export function BottomBar({ items, waiting }: { items: NavItem[]; waiting: Waiting }) {
  const tab = 'relative flex h-14 flex-col items-center justify-center gap-0.5 text-2xs text-muted'
  return (
    <nav
      aria-label="Main"
      className="fixed inset-x-0 bottom-0 z-20 grid grid-cols-5 border-t border-border bg-bg pb-[env(safe-area-inset-bottom)] sm:hidden"
    >
      {items
        .filter((item) => item.bar)
        .map(({ href, label, icon: Icon }) => (
          <NavLink key={href} href={href} className={tab} currentClass="font-medium text-accent-text!">
            <Icon aria-hidden className="size-5" />
            {label}
            <WaitingCount count={waiting[href]} className="absolute top-1 left-1/2 ml-2" />
          </NavLink>
        ))}
      <Menu
        label="More"
        triggerClass={tab}
        trigger={
          <>
            <Ellipsis aria-hidden className="size-5" />
            More
          </>
        }
      >
        {NAV_SECTIONS.map((section) => (
          <div key={section} className="border-t border-border py-1 first:border-0 first:pt-0 last:pb-0">
            {items
              .filter((item) => !item.bar && item.section === section)
              .map(({ href, area, label, icon: Icon }) => (
                <NavLink
                  key={href}
                  href={href}
                  area={area}
                  role="menuitem"
                  className={menuItemClass()}
                  currentClass="font-medium"
                >
                  <Icon aria-hidden />
                  {label}
                </NavLink>
              ))}
          </div>
        ))}
      </Menu>
    </nav>
  )
}
