import { asRecord } from '#lib/domain/text/record'

/** What a connected account may be told to do, and what its caps are counted by. */
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

/** Most actions of one type per local date of the owner, and per any seven of them in a row; null: no cap. */
export type SocialCap = { day: number | null; week: number | null }
export type SocialCaps = Record<SocialActionType, SocialCap>

const cap = (day: number | null, week: number | null = null): SocialCap => ({ day, week })

/**
 * What a paid LinkedIn account bears, as providers of such access recommend it (their numbers differ, hence data that
 * every owner may change).
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

/** `week` of invitations counts those with a note: without notes about ten times as many are borne. */
const FREE: SocialCaps = {
  ...PAID,
  visit_profile: cap(40),
  connection_request: cap(15, 15),
  message: cap(50),
  inmail: cap(0, 0),
}

/** Elsewhere: fewer messages, since strangers report them. */
const OTHER: SocialCaps = {
  ...PAID,
  message: cap(40),
  connection_request: cap(20),
  inmail: cap(0, 0),
}

const NONE = cap(0, 0)
/** Networks without profiles to visit or posts to like: messages alone. */
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

/** The caps that hold for an account unless its owner says otherwise. */
export function defaultCaps({ provider, kind }: Pick<Account, 'provider' | 'kind'>): SocialCaps {
  if (MESSENGERS.includes(provider)) return MESSENGER
  if (provider !== 'linkedin') return OTHER
  return isFree(kind) ? FREE : PAID
}

/** The caps that hold: the defaults of its kind, with what the owner set in `limits` instead. */
export function accountCaps(account: Account): SocialCaps {
  const set = asRecord(account.limits)
  const caps = { ...defaultCaps(account) }
  for (const type of SOCIAL_ACTION_TYPES) caps[type] = { ...caps[type], ...asRecord(set[type]) }
  return caps
}

/** Most characters of a note in an invitation, of a message and of an InMail's subject. */
export function textLimits({ provider, kind }: Pick<Account, 'provider' | 'kind'>) {
  const note = provider === 'linkedin' && isFree(kind) ? 200 : 300
  return { note, message: 8_000, inmail_subject: 200, inmail: 1_900, comment: 1_250 }
}
