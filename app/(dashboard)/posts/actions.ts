'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import * as operations from '#lib/operations/posts/social-posts'
import { action, formAction, perform } from '../../action.ts'
import { formResult, formText } from '../../form-result.ts'

const anew = '/posts'
const thisPost = (post_id: string) => ({ params: { post_id } })
const control = (path: string) => (path === 'scheduled_local' ? 'scheduled_at' : path)

/** `when` is absent if no account is selected. */
const readWhen = (data: FormData) => formText(data, 'when') || 'draft'

/** The composer's values as API fields. */
function readFields(data: FormData) {
  const text = data.get('text')
  const time =
    readWhen(data) === 'later' ? { scheduled_local: formText(data, 'scheduled_at') } : { scheduled_at: '' }
  return {
    // Forms send two characters per line break; the text uses one.
    text: typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : '',
    connected_account_id: formText(data, 'connected_account_id'),
    image: data.get('image') ?? '',
    ...time,
  }
}

export const createPost = formAction(
  operations.createSocialPost,
  (data) => ({ body: { ...readFields(data), ...(readWhen(data) === 'draft' ? { draft: 'true' } : {}) } }),
  { anew, to: ({ id }) => `/posts/${id}`, control },
)

export async function updatePost(postId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  return formResult(async () => {
    const [remove_image, version] = [formText(data, 'remove_image'), formText(data, 'version')]
    const body = { ...readFields(data), remove_image, version }
    await perform(operations.updateSocialPost, { ...thisPost(postId), body })
    if (readWhen(data) === 'now') await perform(operations.publishSocialPost, thisPost(postId))
    revalidatePath('/posts', 'layout')
    return 'Post saved.'
  }, control)
}

/** Moves a post to another time in the owner's zone; everything else stays. */
export const movePost = action(
  operations.updateSocialPost,
  (post_id: string, version: number, scheduled_local: string) => ({
    ...thisPost(post_id),
    body: { scheduled_local, version: String(version) },
  }),
  { anew, control },
)

export const publishPost = action(operations.publishSocialPost, thisPost, {
  anew,
  said: 'It is being published.',
})

export const resolvePost = action(
  operations.resolveSocialPost,
  (post_id: string, resolution: 'published' | 'publish_again') => ({
    ...thisPost(post_id),
    body: { resolution },
  }),
  { anew, said: 'Saved.' },
)

export const deletePost = action(
  operations.deleteSocialPost,
  (post_id: string, keep: boolean) => ({
    ...thisPost(post_id),
    query: { keep_published: String(keep === true) },
  }),
  { anew, to: '/posts' },
)
