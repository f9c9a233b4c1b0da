import { z } from 'zod'
import {
  type SocialAccountRef,
  type SocialAction,
  type SocialActionResult,
  SocialReadError,
} from '#lib/providers/social/port'
import { Invitations, messageId, Posts, Profile } from '#lib/providers/social/unipile/current-bodies'
import type { UnipileAnswer, UnipileCall } from '#lib/providers/social/unipile/http'
import {
  catchReadError,
  notSupported,
  type Outcome,
  readAnswer,
  toOutcome,
} from '#lib/providers/social/unipile/outcome'

type Ask = (call: UnipileCall) => Promise<UnipileAnswer>
type Invited = Extract<SocialAction, { action_type: 'withdraw_invitation' }>
type OnPost = Extract<SocialAction, { action_type: 'like_post' | 'comment_post' }>

const NOTHING: SocialActionResult = { chat_id: null, message_id: null, invitation_id: null }
const Anything = z.record(z.string(), z.unknown())
const segment = encodeURIComponent
const id = z.string().min(1)
/** How many pages of pending invitations are searched. */
const PAGES = 10
const PAGE = 100

/** One action through the second version of the API, in which every path begins with the account. */
export const actByCurrent = (ask: Ask, account: SocialAccountRef, action: SocialAction): Promise<Outcome> =>
  catchReadError(() => act(ask, account, action))

function act(ask: Ask, account: SocialAccountRef, action: SocialAction): Promise<Outcome> {
  const own = segment(account.provider_account_id)
  const person = segment(action.provider_id)
  switch (action.action_type) {
    case 'message':
      return action.chat_id
        ? sendToChat(ask, own, action.chat_id, action.text)
        : startChat(ask, account, action)
    case 'inmail':
      return startChat(ask, account, action)
    case 'connection_request':
      return invite(ask, own, action)
    case 'withdraw_invitation':
      return withdraw(ask, own, action)
    case 'visit_profile':
      return visit(ask, own, person)
    case 'follow':
      return offer(ask, { method: 'POST', path: `${own}/users/me/follow/${person}` })
    case 'like_post':
    case 'comment_post':
      return onPost(ask, account, action)
    case 'endorse':
      return Promise.resolve(
        notSupported('The second version of Unipile’s API cannot endorse people.', 'sender'),
      )
  }
}

async function offer(ask: Ask, call: UnipileCall): Promise<Outcome> {
  return toOutcome(await ask(call), Anything, () => NOTHING)
}

async function sendToChat(ask: Ask, own: string, chatId: string, text: string): Promise<Outcome> {
  const path = `${own}/chats/${segment(chatId)}/messages/send`
  const answer = await ask({ method: 'POST', path, json: { text } })
  return toOutcome(answer, z.object({ message_id: id.nullish() }), ({ message_id }) => ({
    ...NOTHING,
    chat_id: chatId,
    message_id: message_id ? messageId(chatId, message_id) : null,
  }))
}

/** On LinkedIn chats are started in an inbox; other networks have none. */
async function startChat(
  ask: Ask,
  account: SocialAccountRef,
  action: Extract<SocialAction, { action_type: 'message' | 'inmail' }>,
): Promise<Outcome> {
  const own = segment(account.provider_account_id)
  const path =
    account.network === 'linkedin' ? `${own}/inboxes/CLASSIC_PRIMARY/chats/send` : `${own}/chats/send`
  const inmail =
    action.action_type === 'inmail'
      ? {
          ...(action.subject ? { name: action.subject } : {}),
          specifics: { linkedin: { classic: { inmail: true } } },
        }
      : {}
  const json = { users_ids: [action.provider_id], text: action.text, ...inmail }
  const answer = await ask({ method: 'POST', path, json })
  return toOutcome(
    answer,
    z.object({ chat_id: id, message_id: id.nullish() }),
    ({ chat_id, message_id }) => ({
      ...NOTHING,
      chat_id,
      message_id: message_id ? messageId(chat_id, message_id) : null,
    }),
  )
}

async function invite(
  ask: Ask,
  own: string,
  { provider_id, note }: Extract<SocialAction, { action_type: 'connection_request' }>,
): Promise<Outcome> {
  const json = { user_id: provider_id, ...(note ? { message: note } : {}) }
  const answer = await ask({ method: 'POST', path: `${own}/users/me/relation-requests`, json })
  return toOutcome(answer, z.object({ id: id.nullish() }), (body) => ({
    ...NOTHING,
    invitation_id: body.id ?? null,
  }))
}

async function withdraw(ask: Ask, own: string, action: Invited): Promise<Outcome> {
  const pending = action.invitation_id ?? (await pendingInvitation(ask, own, action.provider_id))
  const path = `${own}/users/me/relation-requests/${segment(pending)}/cancel`
  return offer(ask, { method: 'POST', path })
}

async function pendingInvitation(ask: Ask, own: string, providerId: string): Promise<string> {
  for (let page = 0; page < PAGES; page++) {
    const query = { type: 'sent', limit: PAGE, offset: page * PAGE }
    const call = { method: 'GET', path: `${own}/users/me/relation-requests`, query } as const
    const { data } = readAnswer(await ask(call), Invitations)
    const awaited = data.find(({ user }) => user?.id === providerId)
    if (awaited) return awaited.id
    if (data.length === 0) break
  }
  throw new SocialReadError('not_found', 'No invitation to them is pending.')
}

/** Reading a profile does not count as a visit: the visit is reported with a token that the reading returns. */
async function visit(ask: Ask, own: string, person: string): Promise<Outcome> {
  const profile = readAnswer(await ask({ method: 'GET', path: `${own}/users/${person}` }), Profile)
  const token = profile.specifics?.notify_visit_token
  if (!token) return notSupported('The network does not accept visits to this profile.', 'recipient')
  return offer(ask, { method: 'POST', path: `${own}/users/visit-profile`, query: { token } })
}

async function onPost(ask: Ask, account: SocialAccountRef, action: OnPost): Promise<Outcome> {
  const own = segment(account.provider_account_id)
  const path = `${own}/users/${segment(action.provider_id)}/posts`
  const { data } = readAnswer(await ask({ method: 'GET', path, query: { limit: 5 } }), Posts)
  const newest = data.toSorted((a, b) => toMs(b.created_at) - toMs(a.created_at))[0]
  if (!newest) throw new SocialReadError('not_found', 'They have no posts.')
  const post = `${own}/posts/${segment(newest.id)}`
  if (action.action_type === 'comment_post')
    return offer(ask, { method: 'POST', path: `${post}/comments`, json: { text: action.text } })
  // Reaction names begin with the name of their network.
  const reaction = `${account.network}_like`
  return offer(ask, { method: 'POST', path: `${post}/reactions`, json: { reaction } })
}

const toMs = (at: Date | null | undefined) => at?.getTime() ?? 0
