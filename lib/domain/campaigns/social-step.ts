import type { StepCondition } from '#lib/domain/campaigns/step-conditions'
import type { SocialActionType } from '#lib/domain/social/social-limits'
import { textLimits } from '#lib/domain/social/social-limits'
import { hasKey } from '#lib/domain/text/record'

/** The account's relation to the person. */
export type Standing = { relation: string; chat_id: string | null }

/** Actions that require a text; an invitation may be sent without a note. */
const WRITTEN: readonly string[] = ['message', 'inmail', 'comment_post']
export const needsText = (actionType: string): boolean => WRITTEN.includes(actionType)
export const takesText = (actionType: string): boolean =>
  needsText(actionType) || actionType === 'connection_request'

/**
 * Why a step cannot be performed for this person now, checked just before the offer; null if it can. On LinkedIn only
 * connections accept messages and endorsements; on other networks everybody does.
 */
export function socialObstacle(
  { action_type, condition }: { action_type: string; condition: StepCondition },
  { relation, chat_id }: Standing,
  network: string,
): string | null {
  const isConnected = relation === 'connected'
  if (condition === 'connected' && !isConnected) return 'The condition “connected” was not met.'
  if (condition === 'not_connected' && isConnected) return 'The condition “not_connected” was not met.'
  switch (action_type) {
    case 'message':
      if (network === 'linkedin' && !isConnected && !chat_id)
        return 'They are not connected to the account, and there is no chat with them.'
      return null
    case 'endorse':
      return network === 'linkedin' && !isConnected ? 'Only connections can be endorsed.' : null
    case 'connection_request':
      if (isConnected) return 'They are already connected to the account.'
      return relation === 'invited' ? 'An invitation to them is already pending.' : null
    case 'withdraw_invitation':
      return relation === 'invited' ? null : 'No invitation to them is pending.'
    default:
      return null
  }
}

/** Most characters of an action's text from this account; null if the action has no text. */
export function textRoom(actionType: string, account: { provider: string; kind: string }): number | null {
  const { note, message, inmail, comment } = textLimits(account)
  const room: Record<string, number> = { connection_request: note, message, inmail, comment_post: comment }
  return room[actionType] ?? null
}

const DOES: Record<SocialActionType, string> = {
  visit_profile: 'visits their profile',
  connection_request: 'invites them to connect',
  message: 'sends them a message',
  inmail: 'sends them an InMail',
  follow: 'follows them',
  like_post: 'likes their newest post',
  comment_post: 'comments on their newest post',
  endorse: 'endorses one of their skills',
  withdraw_invitation: 'withdraws their invitation',
}

/** What an action does to a person, as the end of a sentence that begins with the account's name. */
export const whatItDoes = (actionType: string, text: string | null): string => {
  const does = hasKey(DOES, actionType) ? DOES[actionType] : actionType
  return actionType === 'connection_request' ? `${does}, ${text ? 'with a note' : 'without a note'}` : does
}

/** Why a text cannot be used for an action of this account; null if it can. */
export function textObstacle(
  actionType: string,
  { subject, text }: { subject: string | null; text: string | null },
  account: { provider: string; kind: string },
): string | null {
  const most = textLimits(account)
  const tooLong = (what: string, length: number, limit: number) =>
    length > limit ? `${what} has ${length} characters. This account can send at most ${limit}.` : null
  const length = text?.length ?? 0
  switch (actionType) {
    case 'connection_request':
      return tooLong('The note', length, most.note)
    case 'message':
      return tooLong('The message', length, most.message)
    case 'inmail':
      return (
        tooLong('The subject', subject?.length ?? 0, most.inmail_subject) ??
        tooLong('The message', length, most.inmail)
      )
    case 'comment_post':
      return tooLong('The comment', length, most.comment)
    default:
      return null
  }
}
