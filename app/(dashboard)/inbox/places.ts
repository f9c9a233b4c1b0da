import type { LabelPlace, Place } from '#components/inbox/folder-pane'
import { FOLDER_LABELS, INTENT_LOOKS, labelText } from '#components/inbox/looks'
import { queryHref } from '#components/ui/query-href'
import {
  INBOX_FOLDERS,
  type InboxFolder,
  type InboxIntent,
  type ListInboxThreads,
} from '#lib/contracts/inbox/inbox'
import type { InboxLabel } from '#lib/contracts/inbox/inbox-labels'
import type { InboxSender } from '#lib/services/inbox/folders'
import type { Colleague } from '#lib/services/inbox/thread/assignment'
import { deleteLabel, paintLabel } from './actions.ts'

type Query = ReturnType<(typeof ListInboxThreads)['query']['parse']>

const folderParam = (folder: InboxFolder) => (folder === 'open' ? undefined : folder)

/** The query parameters that every link of the inbox keeps. */
export const shownQuery = ({
  folder,
  label,
  intent,
  search,
  mailbox_id,
  connected_account_id,
  assignee,
  owner,
}: Query) => ({
  folder: folderParam(folder),
  label,
  intent,
  search,
  mailbox_id,
  connected_account_id,
  assignee,
  owner,
})

/** The same in the form that a view stores. */
export const withoutUnset = (shown: ReturnType<typeof shownQuery>) =>
  Object.fromEntries(Object.entries(shown).filter(([, value]) => value !== undefined))

/** Changing the folder or label keeps the selected mailbox and people but drops the search. */
const narrowing = ({ mailbox_id, connected_account_id, assignee, owner }: Query) => ({
  mailbox_id,
  connected_account_id,
  assignee,
  owner,
})

export function folderPlaces(query: Query, counts: Partial<Record<InboxFolder, number>>): Place[] {
  return INBOX_FOLDERS.map((folder) => ({
    href: queryHref('/inbox', narrowing(query), { folder: folderParam(folder) }),
    name: FOLDER_LABELS[folder],
    ...(counts[folder] === undefined ? {} : { count: counts[folder] }),
    current: query.folder === folder && !query.label && !query.intent,
  }))
}

/** Filters by intent; intents without conversations are hidden. */
export function intentPlaces(query: Query, counts: { intent: InboxIntent; threads: number }[]): Place[] {
  return counts.map(({ intent, threads }) => ({
    href: queryHref('/inbox', narrowing(query), { folder: 'all', intent }),
    name: INTENT_LOOKS[intent].label,
    count: threads,
    current: query.intent === intent,
  }))
}

export function labelPlaces(query: Query, labels: InboxLabel[]): LabelPlace[] {
  return labels.map((label) => ({
    href: queryHref('/inbox', narrowing(query), { folder: 'all', label: label.label }),
    name: labelText(label.label),
    count: label.threads,
    current: query.label === label.label,
    label,
    paint: (color) => paintLabel.bind(null, label.label, color),
    remove: label.label_id ? deleteLabel.bind(null, label.label_id) : null,
  }))
}

export function senderPlaces(query: Query, senders: InboxSender[]): Place[] {
  const kept = { ...shownQuery(query), mailbox_id: undefined, connected_account_id: undefined }
  return [
    {
      href: queryHref('/inbox', kept, {}),
      name: 'All of them',
      current: !query.mailbox_id && !query.connected_account_id,
    },
    ...senders.map(({ kind, id, name }) => ({
      href: queryHref('/inbox', kept, { [kind]: id }),
      name,
      current: query[kind] === id,
    })),
  ]
}

/** Filters by assignee; none if the user works alone. `said` is the name within a sentence. */
export function assigneePlaces(query: Query, people: Colleague[], me: string): (Place & { said?: string })[] {
  if (people.length < 2 && !query.assignee) return []
  const kept = { ...shownQuery(query), assignee: undefined }
  const place = (assignee: string | undefined, name: string, said?: string) => ({
    href: queryHref('/inbox', kept, { assignee }),
    name,
    current: query.assignee === assignee || (assignee === 'me' && query.assignee === me),
    ...(said === undefined ? {} : { said }),
  })
  return [
    place(undefined, 'Everybody'),
    place('me', 'Mine', 'assigned to you'),
    place('nobody', 'Unassigned', 'unassigned'),
    ...people
      .filter(({ user_id }) => user_id !== me)
      .map(({ user_id, name }) => place(user_id, name, `assigned to ${name}`)),
  ]
}

/** Which conversations are listed, and how many. */
export function describeQuery(query: Query, narrowed: (string | undefined)[], total: number): string {
  const folder = query.label ? `Labelled ${labelText(query.label)}` : FOLDER_LABELS[query.folder]
  const place = query.intent ? INTENT_LOOKS[query.intent].label : folder
  const counted = `${total.toLocaleString('en')} ${total === 1 ? 'conversation' : 'conversations'}`
  return [
    place,
    ...narrowed.filter((part) => part !== undefined),
    ...(query.search ? [`with “${query.search}”`] : []),
    counted,
  ].join(' · ')
}

/** The list from which a conversation was opened, with its query. */
export const listHref = (query: Query) =>
  queryHref('/inbox', shownQuery(query), { page: query.page > 1 ? query.page : undefined })
