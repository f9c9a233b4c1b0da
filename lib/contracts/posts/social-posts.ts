import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  cursor,
  dateTime,
  dateTimeInput,
  editedVersion,
  id,
  listEnvelope,
  localTime,
  paging,
  pathId,
  sortBy,
  text,
  version,
  wholeNumber,
} from '#lib/contracts/fields'
import { IMAGE_BYTES } from '#lib/domain/images/judge'
import { countCharacters, POST_CHARACTERS, POST_STATUSES } from '#lib/domain/social/social-post'
import { bothWays } from '#lib/domain/text/row-order'

export const SocialPostAttachment = z
  .object({
    id: id(),
    type: z.string(),
    url: z
      .string()
      .describe('Opens the file without credentials, for at least a day; read the post for a new URL.'),
    filename: z.string(),
    size_bytes: z.int(),
    content_type: z.string(),
  })
  .meta({ id: 'SocialPostAttachment' })
export type SocialPostAttachment = z.output<typeof SocialPostAttachment>

export const SocialPost = z
  .object({
    id: id(),
    user_id: id(),
    workspace_id: id(),
    status: z.enum(POST_STATUSES),
    uncertain: z
      .boolean()
      .describe(
        'For a `publishing` post: it was sent to the network and the outcome is unknown. It is not sent again automatically.',
      ),
    created_at: dateTime(),
    updated_at: dateTime(),
    connected_account_id: id().nullable(),
    provider_post_id: z.string().nullable(),
    social_id: z.string().nullable(),
    text: z.string().nullable(),
    share_url: z.string().nullable(),
    attachments: z.array(SocialPostAttachment),
    is_repost: z.boolean().default(false),
    author_name: z.string().nullable(),
    author_id: z.string().nullable(),
    published_at: dateTime().nullable(),
    scheduled_at: dateTime().nullable(),
    retry_count: z.int().default(0),
    last_error: z.string().nullable(),
    impressions: z.int().default(0),
    reactions: z.int().default(0),
    comments: z.int().default(0),
    reposts: z.int().default(0),
    metrics_updated_at: dateTime().nullable(),
    version: version(),
  })
  .meta({ id: 'SocialPost' })
export type SocialPost = z.output<typeof SocialPost>

export const PostAccount = z
  .object({
    id: id(),
    provider: z.string(),
    name: z.string(),
    avatar_url: z.string().nullable(),
    status: z.string(),
  })
  .meta({ id: 'PostAccount' })
export type PostAccount = z.output<typeof PostAccount>

/** A form cannot send null: an empty field counts as null. */
const blank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? null : value), schema.nullable().optional())

/** A form cannot send a number: digits are parsed. */
const numberIn = (value: unknown) =>
  value === '' ? null : typeof value === 'string' && /^\d+$/.test(value) ? Number(value) : value

export const postText = () =>
  text(1, 2 * POST_CHARACTERS)
    .refine(
      (value) => countCharacters(value) <= POST_CHARACTERS,
      `must have at most ${POST_CHARACTERS} characters`,
    )
    .meta({ maxLength: POST_CHARACTERS, description: 'Counted in Unicode code points.' })

/** If no file was chosen, browsers send an empty file without a name, which a Server Action reads as "undefined". */
const isNoFile = (value: unknown) =>
  value === '' ||
  value === null ||
  (value instanceof File && value.size === 0 && ['', 'undefined'].includes(value.name))

const image = () => z.preprocess((value) => (isNoFile(value) ? undefined : value), z.file().optional())

const fields = {
  connected_account_id: blank(id()),
  image: image().describe('PNG, JPEG, GIF or WebP up to 10 MiB, detected from its content.'),
  scheduled_at: blank(dateTimeInput()).describe('Within a year from now.'),
  scheduled_local: localTime()
    .optional()
    .describe('Instead of `scheduled_at`: YYYY-MM-DDTHH:MM in the account’s own time zone.'),
}

const tag = 'Social'
const params = z.object({ post_id: pathId() })
const flat = { tag, errors: 'flat', status: 200, params } as const
const form = { body_type: 'multipart', max_bytes: IMAGE_BYTES + 256 * 1024 } as const

export const CreateSocialPost = contract({
  ...form,
  id: 'createSocialPost',
  method: 'POST',
  path: '/social/posts/',
  tag,
  summary: 'Create a post',
  description:
    'Publishes the post now, or at `scheduled_at`. Without `connected_account_id` it uses the default account. If there is none, or with `draft`, the post is saved as a draft. A post to publish now is first `scheduled` and goes out in the background within seconds.',
  body: z.object({
    text: postText(),
    ...fields,
    draft: blank(z.stringbool()).describe('Save it as a draft, whatever the account.'),
  }),
  response: SocialPost,
  status: 201,
  errors: 'legacy',
  scope: 'send',
  changes: ['connected_account_id'],
  refusals: [400, 404],
})

/** `at`: the time of publication, or the due time before that. */
export const POST_SORTS = bothWays(['text', 'status', 'account', 'at', 'impressions', 'reactions'])

export const ListSocialPosts = contract({
  id: 'listSocialPosts',
  method: 'GET',
  path: '/social/posts/',
  tag,
  summary: 'List posts',
  description:
    'Newest first, unless `sort` sets another order; those without such a value come last. `next_after` is the cursor of the next page in the same order; null on the last one.',
  query: z.object({
    connected_account_id: blank(id()),
    status: blank(z.enum(POST_STATUSES)),
    sort: sortBy(POST_SORTS),
    after: blank(cursor()),
    limit: wholeNumber(1, 100).default(20),
  }),
  response: z.object({
    items: z.array(SocialPost),
    accounts: z.array(PostAccount),
    next_after: z.string().nullable(),
    total_count: z.int().default(0),
  }),
  status: 200,
  errors: 'legacy',
  scope: 'read',
})

export const ReadSocialPost = contract({
  ...flat,
  id: 'readSocialPost',
  method: 'GET',
  path: '/social/posts/{post_id}',
  summary: 'Read a post',
  response: SocialPost,
  scope: 'read',
  refusals: [404],
})

export const UpdateSocialPost = contract({
  ...flat,
  ...form,
  id: 'updateSocialPost',
  method: 'PATCH',
  path: '/social/posts/{post_id}',
  summary: 'Change a post',
  description:
    'For a draft, scheduled or failed post. Omitted fields keep their values. An empty `connected_account_id` or `scheduled_at` makes it a draft; a `scheduled_at` schedules it. `image` replaces the image, `remove_image` removes it.',
  body: z.object({
    text: postText().optional(),
    ...fields,
    remove_image: blank(z.stringbool()),
    version: z.preprocess(numberIn, editedVersion()),
  }),
  response: SocialPost,
  scope: 'send',
  changes: ['connected_account_id'],
  refusals: [400, 404, 409],
  previews: { readSocialPost: {} },
})

export const DeleteSocialPost = contract({
  ...flat,
  id: 'deleteSocialPost',
  method: 'DELETE',
  path: '/social/posts/{post_id}',
  summary: 'Delete a post',
  description:
    'A published post is deleted on the network too; if the network refuses, it stays here. With `keep_published` it is deleted only here. 409 for a post that is being published or is uncertain.',
  query: z.object({ keep_published: z.stringbool().default(false) }),
  response: null,
  status: 204,
  scope: 'send',
  refusals: [404, 409, 502, 503],
  destructive: true,
  previews: { readSocialPost: {} },
})

export const PublishSocialPost = contract({
  ...flat,
  id: 'publishSocialPost',
  method: 'POST',
  path: '/social/posts/{post_id}/publish',
  summary: 'Publish a post now',
  description:
    'For a draft, a scheduled post before its time, or a failed post. The post is first `scheduled` and goes out in the background within seconds.',
  response: SocialPost,
  scope: 'send',
  refusals: [404, 409],
  previews: { readSocialPost: {} },
})

export const ResolveSocialPost = contract({
  ...flat,
  id: 'resolveSocialPost',
  method: 'POST',
  path: '/social/posts/{post_id}/resolve',
  summary: 'Resolve an uncertain post',
  description:
    '`published`: the post is on the network, and nothing else changes. `publish_again`: it is not, and is sent once more. If it turns up among the account’s newest posts after all, it becomes published and the response says so. 409 `post_not_uncertain` if it was already resolved.',
  body: z.object({ resolution: z.enum(['published', 'publish_again']) }),
  response: SocialPost,
  scope: 'send',
  refusals: [404, 409],
  previews: { readSocialPost: {} },
})

const SocialPostMetrics = z
  .object({
    at: dateTime(),
    impressions: z.int().nullable().describe('Null if the network does not report it.'),
    reactions: z.int().nullable(),
    comments: z.int().nullable(),
    reposts: z.int().nullable(),
  })
  .meta({ id: 'SocialPostMetrics' })
export type SocialPostMetrics = z.output<typeof SocialPostMetrics>

export const ListSocialPostMetrics = contract({
  ...flat,
  id: 'listSocialPostMetrics',
  method: 'GET',
  path: '/social/posts/{post_id}/metrics',
  summary: 'List the metrics of a post',
  description: 'Counted hourly for two days, then daily, until thirty days after publication. Newest first.',
  query: z.object(paging),
  response: listEnvelope(SocialPostMetrics),
  scope: 'read',
  refusals: [404],
})
