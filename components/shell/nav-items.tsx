import {
  ChartNoAxesColumn,
  Contact,
  Database,
  FileText,
  FlaskConical,
  Globe,
  House,
  Inbox,
  KeyRound,
  type LucideIcon,
  Mailbox,
  Megaphone,
  Send,
  Settings,
  Share2,
  ShieldOff,
  UserSearch,
  Users,
  WandSparkles,
  Webhook,
} from 'lucide-react'

/** `keys` is a sequence of two keys, "g" and a letter. `bar` puts the item into a phone's bottom bar. */
export type NavItem = {
  href: string
  label: string
  icon: LucideIcon
  keys: string
  section: NavSection
  /** The paths that count as this item, if more than its own path and what is below. */
  area?: string
  bar?: boolean
}

/** The last section has no heading and is at the bottom of the navigation. */
export const NAV_SECTIONS = ['Outreach', 'Content', 'Sending', 'Developers', 'Settings'] as const
export type NavSection = (typeof NAV_SECTIONS)[number]

/**
 * The source of the navigation, the bottom bar, the command menu and the shortcuts; list only pages that
 * exist.
 */
export const NAV_ITEMS: NavItem[] = [
  { href: '/home', label: 'Home', icon: House, keys: 'h', section: 'Outreach', bar: true },
  { href: '/inbox', label: 'Inbox', icon: Inbox, keys: 'i', section: 'Outreach', bar: true },
  { href: '/campaigns', label: 'Campaigns', icon: Send, keys: 'c', section: 'Outreach', bar: true },
  { href: '/datasets', label: 'Datasets', icon: Database, keys: 'd', section: 'Outreach', bar: true },
  { href: '/people', label: 'People', icon: Users, keys: 'l', section: 'Outreach' },
  { href: '/analytics', label: 'Analytics', icon: ChartNoAxesColumn, keys: 'y', section: 'Outreach' },
  { href: '/email-finder', label: 'Email finder', icon: UserSearch, keys: 'e', section: 'Outreach' },
  { href: '/templates', label: 'Templates', icon: FileText, keys: 't', section: 'Content' },
  { href: '/personalize', label: 'Personalize', icon: WandSparkles, keys: 'z', section: 'Content' },
  { href: '/sender-profiles', label: 'Sender profiles', icon: Contact, keys: 'p', section: 'Content' },
  { href: '/posts', label: 'Posts', icon: Megaphone, keys: 'b', section: 'Content' },
  { href: '/mailboxes', label: 'Mailboxes', icon: Mailbox, keys: 'm', section: 'Sending' },
  { href: '/accounts', label: 'Accounts', icon: Share2, keys: 'a', section: 'Sending' },
  { href: '/domains', label: 'Domains', icon: Globe, keys: 'o', section: 'Sending' },
  { href: '/suppressions', label: 'Suppressions', icon: ShieldOff, keys: 'x', section: 'Sending' },
  { href: '/api-keys', label: 'API keys', icon: KeyRound, keys: 'k', section: 'Developers' },
  { href: '/webhooks', label: 'Webhooks', icon: Webhook, keys: 'w', section: 'Developers' },
  {
    href: '/sandbox/mail',
    label: 'Sandbox',
    icon: FlaskConical,
    keys: 's',
    section: 'Developers',
    area: '/sandbox',
  },
  { href: '/settings', label: 'Settings', icon: Settings, keys: ',', section: 'Settings' },
]

/** A page reachable by two keys. */
export type Jump = Pick<NavItem, 'href' | 'label' | 'keys'>

/** A page's name in a sentence: "Campaigns" for the list, "a page in Campaigns" for pages below it. */
export function placeName(path: string): string {
  const [pathname = ''] = path.split(/[?#]/, 1)
  const item = NAV_ITEMS.find(({ href, area = href }) => pathname === area || pathname.startsWith(`${area}/`))
  if (!item) return 'the page you asked for'
  return pathname === item.href ? item.label : `a page in ${item.label}`
}
