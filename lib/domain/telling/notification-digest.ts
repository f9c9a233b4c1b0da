import { PAUSE_REASONS, PAUSES } from '#lib/domain/campaigns/pause-reasons'

/** Events of one kind about one object, counted. */
export type DigestLine = {
  kind: string
  count: number
  /** The campaign, the mailbox's address or the webhook's host. */
  name: string | null
  reason: string | null
  /** Some of the affected leads. */
  emails: string[]
  /** Who did it, if it was a person. */
  by?: string | null
  thread_id?: string | null
  campaign_id: string | null
  mailbox_id: string | null
}

export type Digest = { subject: string; text: string }

/** Kinds that stop something come first. Kinds that can be switched off come last, with their preference. */
const KINDS: Record<string, { one: string; many: string; preference?: NotifySwitch }> = {
  campaign_paused: { one: 'campaign paused', many: 'campaigns paused' },
  launch_failed: { one: 'launch failed', many: 'launches failed' },
  mailbox_failing: { one: 'mailbox that cannot send', many: 'mailboxes that cannot send' },
  mailbox_unread: {
    one: 'mailbox whose replies are not read',
    many: 'mailboxes whose replies are not read',
  },
  account_failing: { one: 'account that cannot send', many: 'accounts that cannot send' },
  mailbox_disconnected: { one: 'mailbox disconnected', many: 'mailboxes disconnected' },
  account_disconnected: { one: 'account disconnected', many: 'accounts disconnected' },
  provider_paused: {
    one: 'provider that a mailbox has paused',
    many: 'providers that mailboxes have paused',
  },
  ramp_lowered: { one: 'mailbox whose limit was lowered', many: 'mailboxes whose limits were lowered' },
  post_failed: { one: 'post not published', many: 'posts not published' },
  webhook_disabled: { one: 'webhook disabled', many: 'webhooks disabled' },
  mentioned: {
    one: 'note that mentions you',
    many: 'notes that mention you',
    preference: 'notify_on_mention',
  },
  assigned: {
    one: 'conversation assigned to you',
    many: 'conversations assigned to you',
    preference: 'notify_on_assignment',
  },
  answer_stopped: { one: 'scheduled answer not sent', many: 'scheduled answers not sent' },
  reply_intent: { one: 'reply for you', many: 'replies for you' },
  complaint: { one: 'complaint', many: 'complaints', preference: 'notify_on_complaint' },
  reply: { one: 'reply', many: 'replies', preference: 'notify_on_reply' },
  bounce: { one: 'bounce', many: 'bounces', preference: 'notify_on_bounce' },
}

export type NotifySwitch =
  | 'notify_on_reply'
  | 'notify_on_bounce'
  | 'notify_on_complaint'
  | 'notify_on_assignment'
  | 'notify_on_mention'

const REASONS: Record<string, string> = {
  ...Object.fromEntries(PAUSE_REASONS.map((reason) => [reason, PAUSES[reason].cause])),
  gone: 'it answered 410 Gone',
  failing: 'no delivery succeeded for five days',
}

const LISTED = 25
const SHOWN_EMAILS = 3
const MAX_SUBJECT = 120
const MORE = ' and more'

/** Whether the owner wants to hear of a kind; kinds without a switch are always reported. */
export function isWanted(kind: string, preferences: Record<NotifySwitch, boolean>): boolean {
  const preference = KINDS[kind]?.preference
  return preference === undefined || preferences[preference]
}

const plural = (kind: string, count: number) => {
  const words = KINDS[kind] ?? { one: kind, many: kind }
  return `${count.toLocaleString('en')} ${count === 1 ? words.one : words.many}`
}

/** A sentence about one event, or about several of the same kind. */
export function digestSentence({
  kind,
  count,
  name,
  reason,
  emails,
  by,
}: Omit<DigestLine, 'campaign_id' | 'mailbox_id' | 'thread_id'>) {
  const what = name === null ? '' : `“${oneLine(name)}”`
  const why = reason ? `: ${oneLine(REASONS[reason] ?? reason)}` : ''
  switch (kind) {
    case 'campaign_paused':
      return `The campaign ${what} paused${why}.`
    case 'launch_failed':
      return `The campaign ${what} could not be launched${why}${/[.!?]$/.test(why) ? '' : '.'}`
    case 'mailbox_failing':
    case 'account_failing':
      return `${oneLine(name ?? '')} cannot send${why}${/[.!?]$/.test(why) ? '' : '.'} It is retried automatically.`
    case 'mailbox_disconnected':
      return `The mailbox ${oneLine(name ?? '')} was disconnected${why}${/[.!?]$/.test(why) ? '' : '.'}`
    case 'mailbox_unread':
      return `Replies to ${oneLine(name ?? '')} are not read${why}${/[.!?]$/.test(why) ? '' : '.'} Follow-ups wait until they are.`
    case 'provider_paused':
      return `${oneLine(name ?? '')} has paused sending to ${oneLine(reason ?? 'a provider')}. It resumes automatically within a day. Emails to other providers continue.`
    case 'ramp_lowered':
      return `The limit of ${oneLine(name ?? '')} was halved${why}.`
    case 'account_disconnected':
      return `The account ${oneLine(name ?? '')} was disconnected${why}${/[.!?]$/.test(why) ? '' : '.'}`
    case 'post_failed':
      return count === 1
        ? `The post ${what} was not published${why}${/[.!?]$/.test(why) ? '' : '.'}`
        : `${plural(kind, count)}, one of them ${what}${why}${/[.!?]$/.test(why) ? '' : '.'}`
    case 'webhook_disabled':
      return `The webhook at ${oneLine(name ?? '')} was disabled${why}.`
    case 'assigned':
    case 'mentioned': {
      const did = kind === 'assigned' ? 'assigned you a conversation' : 'mentioned you in a note'
      if (count === 1 && by) return `${oneLine(by)} ${did}${what && ` in ${what}`}${people(emails, count)}.`
      return `${plural(kind, count)}${what && ` in ${what}`}${people(emails, count)}.`
    }
    case 'answer_stopped':
      return count > 1 || !reason
        ? `${plural(kind, count)}${people(emails, count)}.`
        : `Your answer to ${oneLine(emails[0] ?? 'somebody')} was not sent: ${oneLine(reason)}`
    case 'reply_intent':
      if (count > 1 || !reason)
        return `${plural(kind, count)}${what && ` in ${what}`}${people(emails, count)}.`
      return `${oneLine(emails[0] ?? 'Somebody')} replied${what && ` in ${what}`}: ${oneLine(reason).replaceAll('_', ' ')}.`
    default:
      return `${plural(kind, count)}${what && ` in ${what}`}${people(emails, count)}.`
  }
}

function people(emails: string[], count: number): string {
  const shown = emails.slice(0, SHOWN_EMAILS).map(oneLine)
  if (shown.length === 0) return ''
  const rest = count - shown.length
  return ` (${shown.join(', ')}${rest > 0 ? ` and ${rest.toLocaleString('en')} more` : ''})`
}

/** Header fields and list items are one line; names are typed by users. */
const oneLine = (text: string) => text.replace(/\s+/g, ' ').trim().slice(0, 300)

function linePath({ kind, count, campaign_id, mailbox_id, thread_id }: DigestLine): string {
  if (
    thread_id &&
    (kind === 'mentioned' || (['reply_intent', 'assigned', 'answer_stopped'].includes(kind) && count === 1))
  )
    return `/inbox/${thread_id}?folder=all`
  if (kind === 'assigned') return '/inbox?assignee=me'
  if (kind === 'webhook_disabled') return '/webhooks'
  if (kind === 'account_disconnected' || kind === 'account_failing') return '/accounts'
  if (kind === 'post_failed') return '/posts'
  if (mailbox_id) return `/mailboxes/${mailbox_id}`
  if (!campaign_id) return '/home'
  return ['reply', 'reply_intent', 'bounce', 'complaint'].includes(kind)
    ? `/campaigns/${campaign_id}/leads`
    : `/campaigns/${campaign_id}`
}

/** The message: counts, some names, and where to look. It stays short however many events there were. */
export function composeDigest(lines: DigestLine[], appUrl: string): Digest {
  const order = Object.keys(KINDS)
  const sorted = lines.toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || b.count - a.count)
  const listed = sorted
    .slice(0, LISTED)
    .map((line) => ({ text: digestSentence(line), url: appUrl + linePath(line) }))
  const left = sorted.length - listed.length
  const more = left > 0 ? `And ${left} more like this: ${appUrl}/home` : ''
  const settings = `${appUrl}/settings/notifications`
  const text = [
    ...listed.map((line) => `- ${line.text}\n  ${line.url}`),
    more,
    `Choose your notifications at ${settings}`,
  ]
  return {
    subject: buildSubject(sorted, listed[0]?.text ?? ''),
    text: `${text.filter((part) => part !== '').join('\n\n')}\n`,
  }
}

function buildSubject(sorted: DigestLine[], first: string): string {
  if (sorted.length === 1) return shortened(first.replace(/\.$/, ''))
  const counts = new Map<string, number>()
  for (const { kind, count } of sorted) counts.set(kind, (counts.get(kind) ?? 0) + count)
  const parts = [...counts].map(([kind, count]) => plural(kind, count))
  const fitting = parts.filter(
    (_, index) => parts.slice(0, index + 1).join(', ').length <= MAX_SUBJECT - MORE.length,
  )
  return fitting.length < parts.length ? `${fitting.join(', ')}${MORE}` : parts.join(', ')
}

/** Cuts between words and marks the cut. */
function shortened(text: string): string {
  if (text.length <= MAX_SUBJECT) return text
  const cut = text.slice(0, MAX_SUBJECT - 2)
  return `${cut.slice(0, cut.lastIndexOf(' ') + 1 || cut.length).trimEnd()} …`
}
