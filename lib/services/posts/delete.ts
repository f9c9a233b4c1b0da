import { db, pool } from '#lib/db/client'
import { AppError } from '#lib/errors'
import { type SocialProvider, SocialReadError } from '#lib/providers/social/port'
import { removeStrays } from '#lib/services/files/files'
import { fileStorage } from '#lib/services/files/storage'
import { lockedPost } from '#lib/services/posts/posts'
import { storedNetwork } from '#lib/services/senders/social-provider'

/**
 * Deletes a post, first on the network if it was published: as long as the network has it, it stays here too. A post that is being
 * published or is uncertain is not deleted, since its outcome would be lost.
 */
export async function deleteSocialPost(
  workspaceId: string,
  postId: string,
  { keep_published }: { keep_published: boolean },
  findProvider: (driver: string) => SocialProvider,
  now: Date,
): Promise<void> {
  const where = { id: postId, workspace_id: workspaceId }
  const post = await db.socialPost.findFirst({ where, include: { account: true } })
  if (!post) throw new AppError('post_not_found')
  const { account, provider_post_id } = post
  if (post.status === 'published' && !keep_published) {
    if (!account || !provider_post_id)
      throw new AppError('invalid_state', {
        message: 'Opener can no longer delete it on the network. Delete it there, then remove it here.',
      })
    const network = storedNetwork(account)
    const ref = { provider_account_id: account.provider_account_id, network }
    await deleteThere(findProvider(account.driver), ref, provider_post_id)
  }
  await db.$transaction(async (tx) => {
    const locked = await lockedPost(tx, workspaceId, postId)
    if (locked.status === 'publishing')
      throw new AppError('invalid_state', {
        message: locked.uncertain
          ? 'First say what happened to it.'
          : 'It is being published at this moment.',
      })
    // The status changed between the read and the lock, for example by publication.
    if (locked.status !== post.status) throw new AppError('conflict')
    await tx.socialPost.delete({ where: { id: postId } })
  })
  await removeStrays(pool(), fileStorage, now, 10)
}

type Ref = Parameters<SocialProvider['deletePost']>[0]

/** Deletes a post on the network. A post that the network does not have any more counts as deleted. */
async function deleteThere(provider: SocialProvider, account: Ref, providerPostId: string): Promise<void> {
  const answer = await provider.deletePost(account, providerPostId)
  if (answer.outcome === 'accepted' || (await isGone(provider, account, providerPostId))) return
  const message = `The network did not delete it: ${answer.response}`
  const isRefused = answer.outcome === 'refused_for_good'
  throw new AppError(isRefused ? 'provider_rejected' : 'provider_unavailable', { message })
}

async function isGone(provider: SocialProvider, account: Ref, providerPostId: string): Promise<boolean> {
  try {
    await provider.postMetrics(account, providerPostId)
    return false
  } catch (error) {
    return error instanceof SocialReadError && error.reason === 'not_found'
  }
}
