import { z } from 'zod'
import type {
  PublishedPost,
  SocialMessage,
  SocialPerson,
  SocialPostMetrics,
  SocialRelation,
} from '#lib/providers/social/port'

/** The response fields of Unipile's second version that are read; all others are ignored. */

export const Link = z.object({ link: z.url() })

export const Account = z.object({
  id: z.string().min(1),
  name: z.string().nullish(),
  provider: z.string(),
  status: z.string(),
  metadata: z.object({ products_connection_status: z.record(z.string(), z.string()).nullish() }).nullish(),
})

const Invitation = z.object({ id: z.string().min(1), type: z.string().nullish() })

export const Profile = z.object({
  id: z.string().min(1),
  public_identifier: z.string().nullish(),
  display_name: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  description: z.string().nullish(),
  public_picture_url: z.string().nullish(),
  /** Fields that only some networks have. */
  specifics: z
    .object({
      headline: z.string().nullish(),
      network_distance: z.string().nullish(),
      relation_request: Invitation.nullish(),
      is_premium: z.boolean().nullish(),
      notify_visit_token: z.string().nullish(),
    })
    .nullish(),
})

export function toPerson(profile: z.output<typeof Profile>): SocialPerson {
  const { id, public_identifier, display_name, first_name, last_name, description, specifics } = profile
  const sent = specifics?.relation_request?.type === 'sent' ? specifics.relation_request : null
  const relation: SocialRelation =
    specifics?.network_distance === 'FIRST_DEGREE' ? 'connected' : sent ? 'invited' : 'none'
  return {
    provider_id: id,
    handle: public_identifier ?? null,
    name: display_name || [first_name, last_name].filter(Boolean).join(' ') || null,
    headline: specifics?.headline ?? description ?? null,
    avatar_url: profile.public_picture_url ?? null,
    relation,
    invitation_id: sent?.id ?? null,
  }
}

/** Lists continue by a cursor or an offset, depending on the network. */
const page = <T extends z.ZodType>(item: T) =>
  z.object({ data: z.array(item), next_cursor: z.string().nullish() })

export const Invitations = page(Invitation.extend({ user: z.object({ id: z.string().min(1) }).nullish() }))
export const Relations = page(
  z.object({ user: z.object({ id: z.string().min(1) }), created_at: z.coerce.date().nullish() }),
)
export const Chats = page(
  z.object({
    id: z.string().min(1),
    is_1to1: z.boolean().nullish(),
    user_id: z.string().nullish(),
    last_message_timestamp: z.coerce.date().nullish(),
  }),
)

export const Message = z.object({
  id: z.string().min(1),
  chat_id: z.string().min(1),
  sender_id: z.string().nullish(),
  sender: z.object({ display_name: z.string().nullish() }).nullish(),
  is_sender: z.boolean().nullish(),
  is_event: z.boolean().nullish(),
  is_hidden: z.boolean().nullish(),
  is_deleted: z.boolean().nullish(),
  text: z.string().nullish(),
  timestamp: z.coerce.date(),
})
export const Messages = page(Message)

/** Message ids are unique only within one chat. */
export const messageId = (chatId: string, id: string): string => `${chatId}/${id}`

/** `with_whom`: the other person of a two-person chat; null in groups and if unknown. */
export function toMessage(row: z.output<typeof Message>, with_whom: string | null): SocialMessage | null {
  if (row.is_event || row.is_hidden || row.is_deleted) return null
  const isOut = Boolean(row.is_sender)
  return {
    message_id: messageId(row.chat_id, row.id),
    chat_id: row.chat_id,
    direction: isOut ? 'out' : 'in',
    provider_id: with_whom,
    sender_name: isOut ? null : (row.sender?.display_name ?? null),
    text: row.text ?? '',
    at: row.timestamp,
  }
}

const count = z.number().int().nonnegative().nullish()
export const Post = z.object({
  id: z.string().min(1),
  share_url: z.string().nullish(),
  text: z.string().nullish(),
  created_at: z.coerce.date().nullish(),
  reactions_counter: z.array(z.object({ count })).nullish(),
  comments_counter: count,
  reposts_counter: count,
  analytics: z.object({ impressions_counter: count }).nullish(),
})
export const Posts = page(Post)

export const toPost = ({ id, share_url }: z.output<typeof Post>): PublishedPost => ({
  provider_post_id: id,
  social_id: null,
  url: share_url ?? null,
})

export const toMetrics = (post: z.output<typeof Post>): SocialPostMetrics => ({
  impressions: post.analytics?.impressions_counter ?? null,
  reactions: post.reactions_counter?.reduce((sum, one) => sum + (one.count ?? 0), 0) ?? null,
  comments: post.comments_counter ?? null,
  reposts: post.reposts_counter ?? null,
})
