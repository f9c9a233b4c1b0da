'use client'

import { usePathname } from 'next/navigation'
import { Tabs } from '#components/ui/layout/tabs'

const TABS = [
  { href: '/settings/account', label: 'Account' },
  { href: '/settings/security', label: 'Security' },
  { href: '/settings/members', label: 'Members' },
  { href: '/settings/billing', label: 'Billing' },
  { href: '/settings/notifications', label: 'Notifications' },
  { href: '/settings/audit', label: 'Audit log' },
]

/** Every page below /settings has its line here. */
export function SettingsTabs() {
  const path = usePathname()
  return <Tabs label="Settings" tabs={TABS.map((tab) => ({ ...tab, current: path.startsWith(tab.href) }))} />
}
