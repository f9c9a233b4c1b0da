'use client'

import { usePathname } from 'next/navigation'
import { Tabs } from '#components/ui/layout/tabs'

const TABS = [
  { href: '/settings/account', label: 'Account' },
  { href: '/settings/security', label: 'Security' },
  { href: '/settings/members', label: 'Members' },
  { href: '/settings/reports', label: 'Reports' },
  { href: '/settings/contact-policy', label: 'Contact policy' },
  { href: '/settings/branding', label: 'Branding' },
  { href: '/settings/agency', label: 'Agency' },
  { href: '/settings/billing', label: 'Billing' },
  { href: '/settings/notifications', label: 'Notifications' },
  { href: '/settings/audit', label: 'Activity' },
]

/** Every page below /settings has an entry here. `closed`: paths that the user's role may not open. */
export function SettingsTabs({ closed }: { closed: string[] }) {
  const path = usePathname()
  return (
    <Tabs
      label="Settings"
      tabs={TABS.filter(({ href }) => !closed.includes(href)).map((tab) => ({
        ...tab,
        current: path.startsWith(tab.href),
      }))}
    />
  )
}
