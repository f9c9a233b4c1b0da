import type { POST_STATUSES } from './social-post.ts'

type PostStatus = (typeof POST_STATUSES)[number]

export const POST_VERBS = [
  'schedule',
  'withdraw',
  'claim',
  'confirm',
  'retry',
  'give_up',
  'publish_again',
  'hold',
] as const
export type PostVerb = (typeof POST_VERBS)[number]

/**
 * The transitions of a post. A post that is `publishing` with an uncertain outcome stays so until evidence, its late worker or
 * its owner settles it.
 */
export const POST_MOVES: Readonly<Record<PostVerb, { from: readonly PostStatus[]; to: PostStatus }>> = {
  schedule: { from: ['draft', 'scheduled', 'failed'], to: 'scheduled' },
  withdraw: { from: ['draft', 'scheduled', 'failed'], to: 'draft' },
  claim: { from: ['scheduled'], to: 'publishing' },
  confirm: { from: ['publishing'], to: 'published' },
  retry: { from: ['publishing'], to: 'scheduled' },
  give_up: { from: ['publishing'], to: 'failed' },
  publish_again: { from: ['publishing'], to: 'scheduled' },
  /** After a restore: it is not known what was published since the backup. */
  hold: { from: ['scheduled'], to: 'draft' },
}
