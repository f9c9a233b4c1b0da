import { z } from 'zod'
import {
  type SocialAccountRef,
  type SocialAction,
  type SocialActionResult,
  SocialReadError,
} from '#lib/providers/social/port'
import { Invitations, Posts, Profile } from '#lib/providers/social/unipile/classic-bodies'
import type { UnipileAnswer, UnipileCall } from '#lib/providers/social/unipile/http'
import {
  catchReadError,
  notSupported,
  type Outcome,
  readAnswer,
  toOutcome,
} from '#lib/providers/social/unipile/outcome'

type Ask = (call: UnipileCall) => Promise<UnipileAnswer>

const NOTHING: SocialActionResult = { chat_id: null, message_id: null, invitation_id: null }
const Anything = z.record(z.string(), z.unknown())
const segment = encodeURIComponent
const id = z.string().min(1)

/** One action through the first version of the API. */
export const actByClassic = (ask: Ask, account: SocialAccountRef, action: SocialAction): Promise<Outcome> =>
  catchReadError(() => act(ask, account, action))

function act(ask: Ask, account: SocialAccountRef, action: SocialAction): Promise<Outcome> {
  const account_id = account.provider_account_id
  const { provider_id } = action
  switch (action.action_type) {
    case 'message':
      return action.chat_id ? sendToChat(ask, action.chat_id, action.text) : startChat(ask, account, action)
    case 'inmail':
      return startChat(ask, account, action)
    case 'connection_request': {
      const withNote = action.note ? { message: action.note } : {}
      return offer(
        ask,
        { method: 'POST', path: 'users/invite', json: { account_id, provider_id, ...withNote } },
        (body) => ({
          invitation_id: toText(body.invitation_id),
        }),
      )
    }
    case 'withdraw_invitation':
      return withdraw(ask, account_id, action)
    case 'visit_profile': {
      const query = { account_id, notify: 'true', linkedin_sections: '*_preview' }
      return offer(ask, { method: 'GET', path: `users/${segment(provider_id)}`, query })
    }
    case 'like_post':
    case 'comment_post':
      return onPost(ask, account_id, action)
    case 'endorse':
      return endorse(ask, account_id, provider_id)
    default:
      return Promise.resolve(
        notSupported('The first version of Unipile’s API cannot follow people.', 'sender'),
      )
  }
}

const toText = (value: unknown) => (typeof value === 'string' && value ? value : null)

async function offer(
  ask: Ask,
  call: UnipileCall,
  result: (body: Record<string, unknown>) => Partial<SocialActionResult> = () => ({}),
): Promise<Outcome> {
  return toOutcome(await ask(call), Anything, (body) => ({ ...NOTHING, ...result(body) }))
}

async function sendToChat(ask: Ask, chatId: string, text: string): Promise<Outcome> {
  const form = new FormData()
  form.set('text', text)
  const answer = await ask({ method: 'POST', path: `chats/${segment(chatId)}/messages`, form })
  return toOutcome(answer, z.object({ message_id: id.nullish() }), ({ message_id }) => ({
    ...NOTHING,
    chat_id: chatId,
    message_id: message_id ?? null,
  }))
}

async function startChat(
  ask: Ask,
  account: SocialAccountRef,
  action: Extract<SocialAction, { text: string }>,
): Promise<Outcome> {
  const form = new FormData()
  form.set('account_id', account.provider_account_id)
  form.append('attendees_ids', action.provider_id)
  form.set('text', action.text)
  if (action.action_type === 'inmail') {
    if (action.subject) form.set('subject', action.subject)
    form.set('linkedin[api]', 'classic')
    form.set('linkedin[inmail]', 'true')
  }
  const answer = await ask({ method: 'POST', path: 'chats', form })
  return toOutcome(answer, z.object({ chat_id: id.nullish(), message_id: id.nullish() }), (body) => ({
    ...NOTHING,
    chat_id: body.chat_id ?? null,
    message_id: body.message_id ?? null,
  }))
}

async function withdraw(
  ask: Ask,
  account_id: string,
  action: Extract<SocialAction, { action_type: 'withdraw_invitation' }>,
): Promise<Outcome> {
  const invitation = action.invitation_id ?? (await pendingInvitation(ask, account_id, action.provider_id))
  const path = `users/invite/sent/${segment(invitation)}`
  return offer(ask, { method: 'DELETE', path, query: { account_id } })
}

async function pendingInvitation(ask: Ask, account_id: string, providerId: string): Promise<string> {
  let cursor: string | null = null
  for (let page = 0; page < 10; page++) {
    const query = { account_id, limit: 100, cursor }
    const listed: z.output<typeof Invitations> = readAnswer(
      await ask({ method: 'GET', path: 'users/invite/sent', query }),
      Invitations,
    )
    const awaited = listed.items.find(({ invited_user_id }) => invited_user_id === providerId)
    if (awaited) return awaited.id
    cursor = listed.cursor ?? null
    if (!cursor) break
  }
  throw new SocialReadError('not_found', 'No invitation to them is pending.')
}

async function onPost(
  ask: Ask,
  account_id: string,
  action: Extract<SocialAction, { action_type: 'like_post' | 'comment_post' }>,
): Promise<Outcome> {
  const path = `users/${segment(action.provider_id)}/posts`
  const { items } = readAnswer(await ask({ method: 'GET', path, query: { account_id, limit: 5 } }), Posts)
  const newest = items.toSorted((a, b) => toMs(b.parsed_datetime) - toMs(a.parsed_datetime))[0]
  if (!newest) throw new SocialReadError('not_found', 'They have no posts.')
  const post = newest.social_id ?? newest.id
  if (action.action_type === 'comment_post')
    return offer(ask, {
      method: 'POST',
      path: `posts/${segment(post)}/comments`,
      json: { account_id, text: action.text },
    })
  return offer(ask, {
    method: 'POST',
    path: 'posts/reaction',
    json: { account_id, post_id: post, reaction_type: 'like' },
  })
}

const toMs = (at: Date | null | undefined) => at?.getTime() ?? 0

/** Endorses the person's first skill that the account has not endorsed yet. */
async function endorse(ask: Ask, account_id: string, provider_id: string): Promise<Outcome> {
  const query = { account_id, linkedin_sections: 'skills' }
  const profile = readAnswer(
    await ask({ method: 'GET', path: `users/${segment(provider_id)}`, query }),
    Profile,
  )
  const skill = profile.skills?.find(({ endorsement_id, endorsed }) => endorsement_id && !endorsed)
  if (!skill) throw new SocialReadError('not_found', 'They have no skill to endorse.')
  return offer(ask, {
    method: 'POST',
    path: 'linkedin/profile/endorse',
    json: { account_id, profile_id: provider_id, skill_endorsement_id: skill.endorsement_id },
  })
}
