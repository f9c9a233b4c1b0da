import { asRecord } from '#lib/domain/text/record'

/** The actions of a connected account, by which its caps are counted. */
export const SOCIAL_ACTION_TYPES = [
  'visit_profile',
  'connection_request',
  'message',
  'inmail',
  'follow',
  'like_post',
  'comment_post',
  'endorse',
  'withdraw_invitation',
] as const
export type SocialActionType = (typeof SOCIAL_ACTION_TYPES)[number]
export const isSocialAction = (type: string): type is SocialActionType =>
  SOCIAL_ACTION_TYPES.some((known) => known === type)

/** Most actions of one type per local date of the owner, and in any seven such dates in a row; null: no cap. */
export type SocialCap = { day: number | null; week: number | null }
export type SocialCaps = Record<SocialActionType, SocialCap>

const cap = (day: number | null, week: number | null = null): SocialCap => ({ day, week })

/**
 * Caps for a paid LinkedIn account, as providers of such access recommend them. Their numbers differ, so every owner can change
 * them.
 */
const PAID: SocialCaps = {
  visit_profile: cap(80),
  connection_request: cap(80, 200),
  message: cap(100),
  inmail: cap(30),
  follow: cap(50),
  like_post: cap(50),
  comment_post: cap(20),
  endorse: cap(20),
  withdraw_invitation: cap(50),
}

/** The weekly cap applies to invitations with a note: without notes LinkedIn tolerates about ten times as many. */
const FREE: SocialCaps = {
  ...PAID,
  visit_profile: cap(40),
  connection_request: cap(15, 15),
  message: cap(50),
  inmail: cap(0, 0),
}

/** Other networks: fewer messages, since strangers report them. */
const OTHER: SocialCaps = {
  ...PAID,
  message: cap(40),
  connection_request: cap(20),
  inmail: cap(0, 0),
}

const NONE = cap(0, 0)
/** Networks without profile visits or posts: messages only. */
const MESSENGER: SocialCaps = {
  visit_profile: NONE,
  connection_request: NONE,
  message: OTHER.message,
  inmail: NONE,
  follow: NONE,
  like_post: NONE,
  comment_post: NONE,
  endorse: NONE,
  withdraw_invitation: NONE,
}
const MESSENGERS = ['whatsapp', 'telegram']

const FREE_KINDS = ['free', 'basic', 'classic']
const isFree = (kind: string) => FREE_KINDS.includes(kind.toLowerCase())

type Account = { provider: string; kind: string; limits: unknown }

/** The default caps of an account. */
export function defaultCaps({ provider, kind }: Pick<Account, 'provider' | 'kind'>): SocialCaps {
  if (MESSENGERS.includes(provider)) return MESSENGER
  if (provider !== 'linkedin') return OTHER
  return isFree(kind) ? FREE : PAID
}

/** The effective caps: the defaults for its kind, overridden by the owner's `limits`. */
export function accountCaps(account: Account): SocialCaps {
  const set = asRecord(account.limits)
  const caps = { ...defaultCaps(account) }
  for (const type of SOCIAL_ACTION_TYPES) caps[type] = { ...caps[type], ...asRecord(set[type]) }
  return caps
}

/** The longest note of an invitation, the longest message and the longest subject of an InMail, in characters. */
export function textLimits({ provider, kind }: Pick<Account, 'provider' | 'kind'>) {
  const note = provider === 'linkedin' && isFree(kind) ? 200 : 300
  return { note, message: 8_000, inmail_subject: 200, inmail: 1_900, comment: 1_250 }
}
