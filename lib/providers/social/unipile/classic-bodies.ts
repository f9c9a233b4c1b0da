import { z } from 'zod'
import type { PublishedPost, SocialMessage, SocialPerson, SocialRelation } from '#lib/providers/social/port'

/** The response fields of Unipile's API that are read; all others are ignored. */

export const Link = z.object({ url: z.url() })

export const Account = z.object({
  id: z.string(),
  name: z.string().nullish(),
  type: z.string(),
  sources: z.array(z.object({ status: z.string() })).nullish(),
  connection_params: z
    .object({
      im: z
        .object({
          username: z.string().nullish(),
          publicIdentifier: z.string().nullish(),
          premiumFeatures: z.array(z.string()).nullish(),
        })
        .nullish(),
    })
    .nullish(),
})

export const Profile = z.object({
  provider_id: z.string().min(1),
  public_identifier: z.string().nullish(),
  full_name: z.string().nullish(),
  first_name: z.string().nullish(),
  last_name: z.string().nullish(),
  headline: z.string().nullish(),
  profile_picture_url: z.string().nullish(),
  network_distance: z.string().nullish(),
  is_relationship: z.boolean().nullish(),
  invitation: z.object({ type: z.string().nullish(), status: z.string().nullish() }).nullish(),
  skills: z
    .array(
      z.object({
        endorsement_id: z.union([z.string(), z.number()]).nullish(),
        endorsed: z.boolean().nullish(),
      }),
    )
    .nullish(),
})

export function toPerson(profile: z.output<typeof Profile>): SocialPerson {
  const { provider_id, public_identifier, full_name, first_name, last_name, headline } = profile
  return {
    provider_id,
    handle: public_identifier ?? null,
    name: full_name || [first_name, last_name].filter(Boolean).join(' ') || null,
    headline: headline ?? null,
    avatar_url: profile.profile_picture_url ?? null,
    relation: toRelation(profile),
    invitation_id: null,
  }
}

function toRelation({
  is_relationship,
  network_distance,
  invitation,
}: z.output<typeof Profile>): SocialRelation {
  if (is_relationship || network_distance === 'FIRST_DEGREE') return 'connected'
  return invitation?.type === 'SENT' && invitation.status === 'PENDING' ? 'invited' : 'none'
}

const page = <T extends z.ZodType>(item: T) =>
  z.object({ items: z.array(item), cursor: z.string().nullish() })

export const Messages = page(
  z.object({
    id: z.string().min(1),
    chat_id: z.string().min(1),
    text: z.string().nullish(),
    timestamp: z.coerce.date(),
    is_sender: z.union([z.boolean(), z.number()]).nullish(),
    sender_id: z.string().nullish(),
    is_event: z.union([z.boolean(), z.number()]).nullish(),
    hidden: z.union([z.boolean(), z.number()]).nullish(),
  }),
)

export function toMessage(row: z.output<typeof Messages>['items'][number]): SocialMessage {
  const isOut = Boolean(row.is_sender)
  return {
    message_id: row.id,
    chat_id: row.chat_id,
    direction: isOut ? 'out' : 'in',
    provider_id: isOut ? null : (row.sender_id ?? null),
    sender_name: null,
    text: row.text ?? '',
    at: row.timestamp,
  }
}

export const Relations = page(z.object({ member_id: z.string().min(1), created_at: z.number().nullish() }))

export const Invitations = page(z.object({ id: z.string().min(1), invited_user_id: z.string().nullish() }))

const count = z.number().int().nonnegative().nullish()
const Post = z.object({
  id: z.string().min(1),
  social_id: z.string().nullish(),
  share_url: z.string().nullish(),
  text: z.string().nullish(),
  parsed_datetime: z.coerce.date().nullish(),
  impressions_counter: count,
  reaction_counter: count,
  comment_counter: count,
  repost_counter: count,
})

export { Post }
export const Posts = page(Post)

export const toPost = ({ id, social_id, share_url }: z.output<typeof Post>): PublishedPost => ({
  provider_post_id: id,
  social_id: social_id ?? null,
  url: share_url ?? null,
})
