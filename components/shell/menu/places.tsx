import {
  BookOpen,
  Building2,
  CalendarDays,
  CreditCard,
  FilePlus2,
  HandHelping,
  History,
  type LucideIcon,
  MailPlus,
  MessageCircle,
  Network,
  PenLine,
  Plus,
  ShieldCheck,
  TestTubeDiagonal,
  Upload,
  UserRound,
  Users,
} from 'lucide-react'

type Place = { href: string; label: string; icon: LucideIcon }

/** Pages that only the command menu lists, not the navigation. */
export const FURTHER: Place[] = [
  { href: '/companies', label: 'Companies', icon: Building2 },
  { href: '/assistant', label: 'Assistant page', icon: MessageCircle },
  { href: '/posts/calendar', label: 'Calendar of posts', icon: CalendarDays },
  { href: '/personalize/playground', label: 'Personalize: playground', icon: TestTubeDiagonal },
  { href: '/sandbox/network', label: 'Sandbox network', icon: Network },
  { href: '/workspaces', label: 'All workspaces', icon: Building2 },
  { href: '/settings/account', label: 'Settings: account', icon: UserRound },
  { href: '/settings/security', label: 'Settings: security', icon: ShieldCheck },
  { href: '/settings/members', label: 'Settings: members', icon: Users },
  { href: '/settings/contact-policy', label: 'Settings: contact policy', icon: HandHelping },
  { href: '/settings/agency', label: 'Settings: agency', icon: Network },
  { href: '/settings/billing', label: 'Settings: billing and referral', icon: CreditCard },
  { href: '/settings/notifications', label: 'Settings: notifications', icon: MessageCircle },
  { href: '/settings/audit', label: 'Settings: activity', icon: History },
]

export const REFERENCE: Place = { href: '/docs', label: 'API reference', icon: BookOpen }

/** Things that can be created from the command menu. */
export const STARTS: Place[] = [
  { href: '/campaigns/new', label: 'New campaign', icon: Plus },
  { href: '/datasets/import', label: 'Import leads from a spreadsheet', icon: Upload },
  { href: '/templates/new', label: 'New template', icon: FilePlus2 },
  { href: '/sender-profiles/new', label: 'New sender profile', icon: UserRound },
  { href: '/posts/new', label: 'New post', icon: PenLine },
  { href: '/mailboxes/new', label: 'Connect a mailbox', icon: MailPlus },
]
