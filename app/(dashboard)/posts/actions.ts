'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Contract } from '#lib/contracts/contract'
import {
  CreateSocialPost,
  DeleteSocialPost,
  PublishSocialPost,
  ReadSocialPost,
  ResolveSocialPost,
  UpdateSocialPost,
} from '#lib/contracts/posts/social-posts'
import { requireUser } from '#lib/http/session'
import { instantOfWall, ownerTimezone } from '#lib/services/posts/calendar'
import { deleteSocialPost } from '#lib/services/posts/delete'
import * as service from '#lib/services/posts/posts'
import { resolveSocialPost } from '#lib/services/posts/settle'
import { socialProvider } from '#lib/services/senders/social-provider'
import { formResult, textOf } from '../../form-result.ts'
import { noted } from '../../noted.ts'

/** What the composer says, as the API's form says it. `when` is absent where no account is chosen. */
async function fieldsOf(userId: string, data: FormData) {
  const text = data.get('text')
  const when = textOf(data, 'when') || 'draft'
  const wall = textOf(data, 'scheduled_at')
  return {
    // Lines as they were written: forms send two characters for each break.
    text: typeof text === 'string' ? text.replaceAll('\r\n', '\n').trim() : '',
    connected_account_id: textOf(data, 'connected_account_id'),
    image: data.get('image') ?? '',
    when,
    scheduled_at: when === 'later' ? instantOfWall(wall, await ownerTimezone(userId)).toISOString() : '',
  }
}

export async function createPost(_: FormResult | null, data: FormData): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { when, ...fields } = await fieldsOf(user.user_id, data)
    const draft = when === 'draft' ? { draft: 'true' } : {}
    const body = CreateSocialPost.body.parse({ ...fields, ...draft })
    const { id } = await service.createSocialPost(user.user_id, body, new Date())
    await noted(user, CreateSocialPost, undefined, { id })
    revalidatePath('/posts', 'layout')
    redirect(`/posts/${id}`)
  })
}

/** Runs one act upon a post of whoever is signed in. */
async function actOn(
  postId: string,
  contract: Contract,
  act: (userId: string, postId: string, now: Date) => Promise<unknown>,
  said: string | undefined,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { post_id } = ReadSocialPost.params.parse({ post_id: postId })
    await act(user.user_id, post_id, new Date())
    await noted(user, contract, { post_id })
    revalidatePath('/posts', 'layout')
    return said
  })
}

export async function updatePost(postId: string, _: FormResult | null, data: FormData): Promise<FormResult> {
  const change = async (userId: string, id: string, now: Date) => {
    const { when, ...fields } = await fieldsOf(userId, data)
    const remove_image = textOf(data, 'remove_image')
    const body = UpdateSocialPost.body.parse({ ...fields, remove_image, version: textOf(data, 'version') })
    await service.updateSocialPost(userId, id, body, now)
    if (when === 'now') await service.publishSocialPost(userId, id, now)
  }
  return actOn(postId, UpdateSocialPost, change, 'The post is saved.')
}

export async function publishPost(postId: string): Promise<FormResult> {
  return actOn(postId, PublishSocialPost, service.publishSocialPost, 'It is being published.')
}

export async function resolvePost(
  postId: string,
  resolution: 'published' | 'publish_again',
): Promise<FormResult> {
  const resolve = (userId: string, id: string, now: Date) =>
    resolveSocialPost(
      userId,
      id,
      ResolveSocialPost.body.parse({ resolution }).resolution,
      socialProvider,
      now,
    )
  return actOn(postId, ResolveSocialPost, resolve, 'Noted.')
}

export async function deletePost(postId: string, keep: boolean): Promise<FormResult> {
  const remove = (userId: string, id: string, now: Date) =>
    deleteSocialPost(userId, id, { keep_published: keep === true }, socialProvider, now)
  const result = await actOn(postId, DeleteSocialPost, remove, undefined)
  if (result.ok) redirect('/posts')
  return result
}
