import { defaultFilter } from 'cmdk'
import {
  Building2,
  CircleHelp,
  CornerDownRight,
  type LucideIcon,
  MessageCircle,
  Monitor,
  Moon,
  Sun,
  SunMoon,
} from 'lucide-react'
import { NAV_ITEMS } from '../nav-items.tsx'
import { chooseTheme, toggleTheme } from '../theme.ts'
import { workspaceHref } from '../workspaces.tsx'
import type { Hands, MenuGroup, MenuLine } from './menu-line.ts'
import type { Commands, OpenRecord } from './open-record.tsx'
import { FURTHER, REFERENCE, STARTS } from './places.tsx'
import { buildRecordCommands } from './record-commands.tsx'
import type { Hit } from './search-hits.tsx'

/** All available actions and pages. */
export function buildGroups(openRecord: OpenRecord | null, commands: Commands, hands: Hands): MenuGroup[] {
  const { go } = hands
  const isOpen = ({ href }: { href: string }) => !commands.closed.includes(href)
  const places = (many: { href: string; label: string; icon: LucideIcon }[]) =>
    many.filter(isOpen).map(({ href, label, icon }) => ({ value: label, label, icon, act: () => go(href) }))
  const groups: MenuGroup[] = [
    { id: 'create', heading: 'Create', lines: places(STARTS) },
    {
      id: 'go',
      heading: 'Go to',
      lines: [
        ...NAV_ITEMS.filter(isOpen).map(({ href, label, icon, keys }) => ({
          value: label,
          label,
          icon,
          keys: ['g', keys],
          act: () => go(href),
        })),
        ...places(FURTHER),
        ...places([REFERENCE]).map((line) => ({ ...line, keywords: ['docs', 'openapi'] })),
      ],
    },
    { id: 'switch', heading: 'Switch to', lines: buildSwitches(commands, hands) },
    { id: 'actions', heading: 'Actions', lines: buildActions(hands) },
  ]
  if (openRecord)
    groups.unshift({
      id: openRecord.id,
      heading: openRecord.name,
      lines: buildRecordCommands(openRecord, commands, hands),
    })
  return groups.filter(({ lines }) => lines.length > 0)
}

/** The user's other workspaces. */
function buildSwitches({ workspaces }: Commands, { choose }: Hands): MenuLine[] {
  return workspaces
    .filter(({ isCurrent }) => !isCurrent)
    .map((workspace) => ({
      value: workspace.workspace_id,
      label: workspace.name,
      icon: Building2,
      keywords: ['workspace', 'switch'],
      act: () => choose(() => window.location.assign(workspaceHref(workspace))),
    }))
}

/** Actions available on every page. */
function buildActions({ choose, help }: Hands): MenuLine[] {
  const action = (label: string, icon: LucideIcon, act: () => void, keys?: string[]) => ({
    value: label,
    label,
    icon,
    act: () => choose(act),
    ...(keys && { keys }),
  })
  return [
    action('Ask the assistant', MessageCircle, () => document.dispatchEvent(new Event('opener:assistant')), [
      'Ctrl',
      'J',
    ]),
    action('Toggle theme', SunMoon, toggleTheme),
    action('Theme: light', Sun, () => chooseTheme('light')),
    action('Theme: dark', Moon, () => chooseTheme('dark')),
    action('Theme: system', Monitor, () => chooseTheme('system')),
    action('Keyboard shortcuts', CircleHelp, help, ['?']),
  ]
}

/** As many results as fit in view. */
const BEST = 12

/**
 * The lines that match the words best: best group first, and best line first within a group. All lines if
 * nothing is typed.
 */
export function bestGroups(groups: MenuGroup[], words: string): MenuGroup[] {
  if (!words.trim()) return groups
  const scored = groups
    .flatMap((group) =>
      group.lines.map((line) => ({ group, line, score: defaultFilter(line.label, words, line.keywords) })),
    )
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, BEST)
  return [...Map.groupBy(scored, ({ group }) => group)].map(([group, fitting]) => ({
    ...group,
    lines: fitting.map(({ line }) => line),
  }))
}

/** Search results from the server: the user's records first, then API documentation. */
export function hitLines(hits: Hit[], go: Hands['go']): MenuLine[] {
  return hits.map(({ href, title, kind }) => ({
    value: href,
    label: title,
    icon: CornerDownRight,
    detail: kind,
    act: () => go(href),
  }))
}
