import type { z } from 'zod'
import { type CreateSocialPost, SocialPost, type UpdateSocialPost } from '#lib/contracts/posts/social-posts'
import { db } from '#lib/db/client'
import type { PrismaClient } from '#lib/db/generated/client'
import type {
  ConnectedAccountModel,
  SocialPostAttachmentModel,
  SocialPostModel,
} from '#lib/db/generated/models'
import { rowsOfPage } from '#lib/db/page'
import { POSTING_NETWORKS, postProblem } from '#lib/domain/social/social-post'
import type { Maker } from '#lib/domain/workspaces/maker'
import { notYours } from '#lib/domain/workspaces/others-work'
import { AppError, invalid } from '#lib/errors'
import { adoptFile, fileUrl } from '#lib/services/files/files'
import { type Asking, accountsFor } from '#lib/services/instance/given-senders'
import { type EditTx, edit } from '#lib/services/instance/versioned-edit'
import { keepImage } from '#lib/services/posts/images'
import { isOpenPost, scheduledPost, withdrawnPost } from '#lib/services/posts/state'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

type Row = SocialPostModel & { attachments: SocialPostAttachmentModel[] }
export const include = { attachments: { orderBy: { id: 'asc' } } } as const

/** A post as responses show it. */
export const shownPost = ({ attachments, ...post }: Row, now: Date) => ({
  ...post,
  attachments: attachments.map((file) => ({ ...file, url: fileUrl(file, now) })),
})

export async function getSocialPost(workspaceId: string, postId: string, now: Date) {
  const post = await db.socialPost.findFirst({ where: { id: postId, workspace_id: workspaceId }, include })
  if (!post) throw new AppError('post_not_found')
  return shownPost(post, now)
}

/** All accounts, the default one first. */
export async function postAccounts(workspaceId: string) {
  const rows = await db.connectedAccount.findMany({
    where: { workspace_id: workspaceId },
    orderBy: [{ is_default: 'desc' }, { created_at: 'desc' }, { account_id: 'desc' }],
  })
  return rows.map(({ account_id, ...row }) => ({ id: account_id, ...row }))
}

/** Accounts that a post can be written for. */
export async function postingAccounts(workspaceId: string) {
  const accounts = await postAccounts(workspaceId)
  return accounts.filter(({ provider }) => POSTING_NETWORKS.includes(provider))
}

type Account = Pick<ConnectedAccountModel, 'account_id' | 'provider' | 'is_default'>

export async function ownAccount(workspaceId: string, accountId: string): Promise<Account> {
  const account = await db.connectedAccount.findFirst({
    where: { account_id: accountId, workspace_id: workspaceId },
  })
  if (!account) throw new AppError('account_not_found')
  return account
}

/** The default account, if it takes posts. */
const defaultAccount = (workspaceId: string): Promise<Account | null> =>
  db.connectedAccount.findFirst({
    where: { workspace_id: workspaceId, is_default: true, provider: { in: POSTING_NETWORKS } },
  })

/** Refuses an account that was withdrawn from the person since the post was written. Everybody may use the default account. */
export function checkGiven({ account_id, is_default }: Account, given: string[] | null): void {
  if (given && !is_default && !given.includes(account_id))
    throw new AppError('role_insufficient', { message: notYours('connected_account_id') })
}

function checkTime(at: Date | null | undefined, now: Date): void {
  if (!at) return
  const ahead = at.getTime() - now.getTime()
  if (ahead < -5 * MINUTE_MS) throw invalid(['body', 'scheduled_at'], 'must not be in the past')
  if (ahead > 366 * DAY_MS) throw invalid(['body', 'scheduled_at'], 'must be within a year')
}

function checkRules(account: Account, text: string, hasImage: boolean): void {
  const problem = postProblem(account.provider, text, hasImage)
  if (problem) throw invalid(['body', problem.field], problem.message)
}

export async function createSocialPost(
  { workspace_id: workspaceId, user_id }: Maker,
  wanted: z.output<typeof CreateSocialPost.body>,
  now: Date,
) {
  const named = wanted.connected_account_id
    ? await ownAccount(workspaceId, wanted.connected_account_id)
    : null
  const account = named ?? (await defaultAccount(workspaceId))
  checkTime(wanted.scheduled_at, now)
  const goesOut = account !== null && !wanted.draft
  if (goesOut) checkRules(account, wanted.text, Boolean(wanted.image))
  const image = wanted.image ? await keepImage(wanted.image, now) : null
  const post = await db.$transaction(async (tx) => {
    if (image) await adoptFile(tx, image)
    return tx.socialPost.create({
      data: {
        workspace_id: workspaceId,
        user_id,
        connected_account_id: account?.account_id ?? null,
        text: wanted.text,
        created_at: now,
        scheduled_at: wanted.scheduled_at ?? null,
        ...(goesOut ? scheduledPost(wanted.scheduled_at ?? now) : {}),
        ...(image ? { attachments: { create: { ...image, workspace_id: workspaceId } } } : {}),
      },
      include,
    })
  })
  return shownPost(post, now)
}

type Tx = Pick<PrismaClient, '$queryRaw' | 'socialPost' | 'socialPostAttachment' | 'strayFile'>

/** Locks a post, so that no worker takes it meanwhile. */
export async function lockedPost(tx: Tx, workspaceId: string, postId: string): Promise<Row> {
  await tx.$queryRaw`SELECT 1 FROM social_posts WHERE id = ${postId}::uuid AND workspace_id = ${workspaceId}::uuid FOR UPDATE`
  const post = await tx.socialPost.findFirst({ where: { id: postId, workspace_id: workspaceId }, include })
  if (!post) throw new AppError('post_not_found')
  return post
}

async function lockedOpen(tx: Tx, workspaceId: string, postId: string): Promise<Row> {
  const post = await lockedPost(tx, workspaceId, postId)
  if (!isOpenPost(post)) throw new AppError('post_not_changeable')
  return post
}

type Changes = z.output<typeof UpdateSocialPost.body>

export async function updateSocialPost(user: Asking, postId: string, wanted: Changes, now: Date) {
  const { workspace_id: workspaceId } = user
  await getSocialPost(workspaceId, postId, now)
  const named = wanted.connected_account_id
    ? await ownAccount(workspaceId, wanted.connected_account_id)
    : null
  checkTime(wanted.scheduled_at, now)
  const given = await accountsFor(user)
  const image = wanted.image ? await keepImage(wanted.image, now) : null
  const write = async (tx: EditTx) => {
    const before = await lockedOpen(tx, workspaceId, postId)
    const dropsImage = Boolean(image || wanted.remove_image)
    if (dropsImage) await tx.socialPostAttachment.deleteMany({ where: { post_id: postId } })
    if (image) await adoptFile(tx, image)
    const keepsAccount = wanted.connected_account_id === undefined
    const account = keepsAccount ? before.connected_account_id : (named?.account_id ?? null)
    const changes = {
      ...(wanted.text === undefined ? {} : { text: wanted.text }),
      connected_account_id: account,
      ...statusAfter(before, wanted, account),
      ...(image ? { attachments: { create: { ...image, workspace_id: workspaceId } } } : {}),
    }
    const after = await tx.socialPost.update({ where: { id: postId }, data: changes, include })
    if (after.status === 'scheduled' && account) {
      const from = named ?? (await ownAccount(workspaceId, account))
      checkGiven(from, given)
      checkRules(from, after.text, after.attachments.length > 0)
    }
    return after
  }
  const post = await edit({
    table: 'social_posts',
    key: { id: postId, workspace_id: workspaceId },
    version: wanted.version,
    missing: 'post_not_found',
    current: async () => SocialPost.parse(await getSocialPost(workspaceId, postId, now)),
    write,
  })
  return shownPost(post, now)
}

/** `scheduled` if a time is given, `draft` if the time or the account is removed, otherwise unchanged. */
function statusAfter(before: SocialPostModel, wanted: Changes, account: string | null) {
  if (wanted.scheduled_at && account) return scheduledPost(wanted.scheduled_at)
  if (wanted.scheduled_at) throw invalid(['body', 'connected_account_id'], 'is needed to schedule a post')
  if (wanted.scheduled_at === null) return { ...withdrawnPost(), scheduled_at: null }
  return account === null && before.status === 'scheduled' ? withdrawnPost() : {}
}

/** Publishes a post at once, whatever its scheduled time. */
export async function publishSocialPost(user: Asking, postId: string, now: Date) {
  const { workspace_id: workspaceId } = user
  const given = await accountsFor(user)
  const post = await db.$transaction(async (tx) => {
    const before = await lockedOpen(tx, workspaceId, postId)
    const account = before.connected_account_id
      ? await ownAccount(workspaceId, before.connected_account_id)
      : await defaultAccount(workspaceId)
    if (!account) throw new AppError('post_without_account')
    checkGiven(account, given)
    const problem = postProblem(account.provider, before.text, before.attachments.length > 0)
    if (problem) throw new AppError('invalid_state', { message: `Not publishable: ${problem.message}.` })
    // Increments the version, so that a concurrent edit is refused while the post is being published.
    const data = {
      connected_account_id: account.account_id,
      ...scheduledPost(now),
      version: { increment: 1 },
    }
    return tx.socialPost.update({ where: { id: postId }, data, include })
  })
  return shownPost(post, now)
}

export async function listPostMetrics(
  workspaceId: string,
  postId: string,
  { page, page_size }: { page: number; page_size: number },
  now: Date,
) {
  await getSocialPost(workspaceId, postId, now)
  const where = { post_id: postId, workspace_id: workspaceId }
  const [items, total] = await Promise.all([
    db.socialPostMetrics.findMany({
      where,
      orderBy: { at: 'desc' },
      ...rowsOfPage({ page, page_size }),
    }),
    db.socialPostMetrics.count({ where }),
  ])
  return { items, total, page, page_size }
}
