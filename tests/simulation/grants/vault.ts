import type { MailboxConnection, MailOutcome, NeverLeft, OutgoingMail } from '#lib/providers/mail/port'
import type { Granted, GrantRefusal, MailOAuth } from '#lib/providers/mail-oauth/port'
import type { Vendors } from '#lib/services/senders/grants/access-token'
import type { FindSent } from '#lib/services/senders/sent/sent-mark'
import { type Rng, rngOf } from '#tests/simulation/worlds/random'
import type { GrantsSpec, WorldSpec } from '#tests/simulation/worlds/spec'
import type { Stage } from '#tests/simulation/worlds/stage'

export const CLIENT_ID = 'the client of this instance'
const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

/** In every second world some mailboxes sign in by OAuth. */
export const hasGrants = (seed: number): boolean => seed % 2 === 0

/**
 * The same world with tokens that expire, vendors that throttle, and a Sent folder that shows what was sent. Uses a random stream of its
 * own.
 */
export function withGrants(seed: number, world: WorldSpec): WorldSpec {
  if (!hasGrants(seed)) return world
  const rng = rngOf(seed, 'grants')
  const mailboxes = world.mailboxes.map(() => rng.pick(['smtp', 'api', 'api', null] as const))
  const lives_ms = rng.pick([6 * MINUTE_MS, HOUR_MS, HOUR_MS])
  if (world.undisturbed) return { ...world, grants: { ...NO_GRANTS, mailboxes, lives_ms } }
  const some = (most: number) => rng.next() * most
  return {
    ...world,
    grants: {
      mailboxes,
      lives_ms,
      cut_short: some(0.15),
      mid_send: some(0.3),
      unreachable: some(0.2),
      ended: some(0.08),
      rotates: rng.chance(0.5),
      throttled: some(0.12),
      asks_ms: rng.pick([30 * MINUTE_MS, 3 * HOUR_MS, 20 * HOUR_MS]),
      shown: rng.next(),
    },
  }
}

export const NO_GRANTS: GrantsSpec = {
  mailboxes: [],
  lives_ms: HOUR_MS,
  cut_short: 0,
  mid_send: 0,
  unreachable: 0,
  ended: 0,
  rotates: false,
  throttled: 0,
  asks_ms: 0,
  shown: 0,
}

/** The sign-ins of one mailbox, as the vendor has them. */
type Account = {
  address: string
  /** The valid access token, and when it expires. */
  token: string | null
  expires_at: number
  refresh_tokens: Set<string>
  given: number
  /** Unsent drafts, by Message-ID. */
  drafts: Map<string, string>
  /** Tokens that the server has refused, each with the message: another message may use the same token at the same moment. */
  refused: Set<string>
}

/** All sign-ins of a world as their vendor has them, even where our process died before it heard of them. */
export type Vault = {
  accounts: Map<string, Account>
  /** Message-IDs of the mails in Sent. */
  sent: Set<string>
  spec: GrantsSpec
  rng: Rng
  clock(): number
}

export function openVault(spec: GrantsSpec, seed: number, clock: () => number): Vault {
  return { accounts: new Map(), sent: new Set(), spec, rng: rngOf(seed, 'vault'), clock }
}

/** The user signs in: earlier grants end. */
export function grant(vault: Vault, mailboxId: string, address: string): Granted & { refresh_token: string } {
  const before = vault.accounts.get(mailboxId)
  const account: Account = {
    address,
    token: null,
    expires_at: 0,
    refresh_tokens: new Set(),
    given: before?.given ?? 0,
    drafts: before?.drafts ?? new Map(),
    refused: before?.refused ?? new Set(),
  }
  vault.accounts.set(mailboxId, account)
  return { ...give(vault, mailboxId, account), refresh_token: newRefreshToken(mailboxId, account) }
}

function give({ spec, clock }: Vault, mailboxId: string, account: Account) {
  account.given += 1
  account.token = `access ${mailboxId} ${account.given}`
  account.expires_at = clock() + spec.lives_ms
  return { access_token: account.token, expires_at: new Date(account.expires_at), scopes: null }
}

/** Earlier refresh tokens stay valid, as with both vendors: a process that dies before it stores a new one is not locked out. */
function newRefreshToken(mailboxId: string, account: Account) {
  const token = `refresh ${mailboxId} ${account.given}`
  account.refresh_tokens.add(token)
  return token
}

const refusal = (fault: GrantRefusal['fault'], said: string): GrantRefusal => ({ ok: false, fault, said })

function renew(vault: Vault, refreshToken: string): ({ ok: true } & Granted) | GrantRefusal {
  const { spec, rng } = vault
  const [, mailboxId = ''] = refreshToken.split(' ')
  const account = vault.accounts.get(mailboxId)
  if (!account?.refresh_tokens.has(refreshToken)) return refusal('ended', 'invalid_grant')
  const drawn = rng.next()
  if (drawn < spec.unreachable) return refusal('unreachable', 'no answer')
  if (drawn < spec.unreachable + spec.ended) {
    account.token = null
    account.refresh_tokens.clear()
    return refusal('ended', 'invalid_grant')
  }
  const given = give(vault, mailboxId, account)
  return { ok: true, ...given, refresh_token: spec.rotates ? newRefreshToken(mailboxId, account) : null }
}

/** The vendor's token endpoint as a process reaches it; `slow`: it answers when the stage says so. */
export function vendorsOf(stage: Stage, actor: string, vault: Vault, slow = true): Vendors {
  const none = () => Promise.reject(new Error('Nobody signs in here.'))
  const oauth: MailOAuth = {
    vendor: 'google',
    client_id: CLIENT_ID,
    route: 'smtp',
    needed_scopes: [],
    servers: null,
    authorizeUrl: none,
    exchange: none,
    revoke: async () => true,
    refresh: (token) => {
      const answer = renew(vault, token)
      stage.say(`${actor} renews ${token}: ${answer.ok ? answer.access_token : answer.fault}`)
      if (!slow) return Promise.resolve(answer)
      const { promise, resolve } = Promise.withResolvers<typeof answer>()
      stage.cues.push({ actor, label: `hears of ${token}`, give: () => resolve(answer) })
      return promise
    },
  }
  return () => oauth
}

export const BEGUN_ANEW = 'begun anew although a draft of it waits'
export const REFUSED_TOKEN = 'offered again with the token that it was refused with'

export type Admission = { broke: string | null; outcome: MailOutcome | null }

/** The vendor's answer before it looks at the message: null where the token is valid. */
export function admit(vault: Vault, connection: MailboxConnection, message: OutgoingMail): Admission {
  const { access_token, api } = connection
  if (!access_token) return { broke: null, outcome: null }
  const { spec, rng } = vault
  const account = vault.accounts.get(access_token.split(' ')[1] ?? '')
  if (!account) return { broke: 'offered with a token of nobody', outcome: null }
  // A new try does not know of a draft that an earlier one left behind.
  if (message.draft === undefined) account.drafts.delete(message.message_id)
  const draft = account.drafts.get(message.message_id)
  if (account.refused.has(`${access_token} ${message.message_id}`) && message.draft !== undefined)
    return { broke: REFUSED_TOKEN, outcome: null }
  if (account.token === access_token && rng.chance(spec.cut_short)) account.token = null
  const isGood = account.token === access_token && vault.clock() < account.expires_at
  if (!isGood) return refused(account, access_token, message, draft)
  if (draft && message.draft !== draft) return { broke: BEGUN_ANEW, outcome: null }
  if (!api || message.draft) return { broke: null, outcome: throttled(vault) }
  if (!rng.chance(spec.mid_send)) return { broke: null, outcome: throttled(vault) }
  // The draft is created, and the token expires before it is sent.
  account.token = null
  account.drafts.set(message.message_id, `draft of ${message.message_id}`)
  return refused(account, access_token, message, account.drafts.get(message.message_id))
}

function refused(
  account: Account,
  token: string,
  { message_id }: OutgoingMail,
  draft: string | undefined,
): Admission {
  account.refused.add(`${token} ${message_id}`)
  const outcome: NeverLeft = { outcome: 'never_left', reason: 'auth', error: '401 the token has run out' }
  return { broke: null, outcome: draft ? { ...outcome, draft } : outcome }
}

function throttled({ spec, rng }: Vault): MailOutcome | null {
  if (!rng.chance(spec.throttled)) return null
  const said = {
    stage: 'mail',
    code: 429,
    enhanced: null,
    response: '429 too many',
    blames: 'sender',
  } as const
  return { outcome: 'refused_for_now', ...said, retry_after_ms: spec.asks_ms }
}

/** Sent shows what was sent, but not always at once. */
export const finderOf =
  ({ sent, spec, rng }: Vault): FindSent =>
  async (_mailboxId, { message_id }) =>
    sent.has(message_id) && rng.chance(spec.shown) ? { message_id } : null
