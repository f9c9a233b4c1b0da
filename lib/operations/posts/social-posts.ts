import {
  CreateSocialPost,
  DeleteSocialPost,
  ListSocialPostMetrics,
  ListSocialPosts,
  PublishSocialPost,
  ReadSocialPost,
  ResolveSocialPost,
  UpdateSocialPost,
} from '#lib/contracts/posts/social-posts'
import { operation } from '#lib/operations/operation'
import { onOwnClock } from '#lib/services/posts/calendar'
import { deleteSocialPost as remove } from '#lib/services/posts/delete'
import { listSocialPosts as list } from '#lib/services/posts/list'
import * as service from '#lib/services/posts/posts'
import { resolveSocialPost as resolve } from '#lib/services/posts/settle'
import { socialProvider } from '#lib/services/senders/social-provider'

export const createSocialPost = operation(CreateSocialPost, async ({ user, body, now }) =>
  service.createSocialPost(user, await onOwnClock(user.workspace_id, body), now),
)
export const listSocialPosts = operation(ListSocialPosts, ({ user, query, now }) =>
  list(user.workspace_id, query, now),
)
export const readSocialPost = operation(ReadSocialPost, ({ user, params, now }) =>
  service.getSocialPost(user.workspace_id, params.post_id, now),
)
export const updateSocialPost = operation(UpdateSocialPost, async ({ user, params, body, now }) =>
  service.updateSocialPost(user, params.post_id, await onOwnClock(user.workspace_id, body), now),
)
export const deleteSocialPost = operation(DeleteSocialPost, ({ user, params, query, now }) =>
  remove(user.workspace_id, params.post_id, query, socialProvider, now),
)
export const publishSocialPost = operation(PublishSocialPost, ({ user, params, now }) =>
  service.publishSocialPost(user, params.post_id, now),
)
export const resolveSocialPost = operation(ResolveSocialPost, ({ user, params, body, now }) =>
  resolve(user, params.post_id, body.resolution, socialProvider, now),
)
export const listSocialPostMetrics = operation(ListSocialPostMetrics, ({ user, params, query, now }) =>
  service.listPostMetrics(user.workspace_id, params.post_id, query, now),
)
