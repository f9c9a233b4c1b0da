export const POST_STATUSES = ['draft', 'scheduled', 'publishing', 'published', 'failed'] as const

export const POST_CHARACTERS = 3_000

/** Characters as people and networks count them: one for an emoji of two UTF-16 units (Unicode code points). */
export const countCharacters = (text: string): number => [...text].length

/** What the networks take; one that is missing here takes no posts. */
const NETWORKS: Readonly<Record<string, { name: string; characters: number; needs_image: boolean }>> = {
  linkedin: { name: 'LinkedIn', characters: POST_CHARACTERS, needs_image: false },
  twitter: { name: 'X', characters: 280, needs_image: false },
  instagram: { name: 'Instagram', characters: 2_200, needs_image: true },
}

export const POSTING_NETWORKS = Object.keys(NETWORKS)
/** The most characters of a post on this network. */
export const charactersOn = (network: string): number => NETWORKS[network]?.characters ?? POST_CHARACTERS

export type PostProblem = { field: 'connected_account_id' | 'text' | 'image'; message: string }

/** Why a post cannot go out on a network; null where nothing is in its way. */
export function postProblem(network: string, text: string, hasImage: boolean): PostProblem | null {
  const rules = NETWORKS[network]
  if (!rules) return { field: 'connected_account_id', message: 'this kind of account cannot publish posts' }
  if (countCharacters(text) > rules.characters)
    return { field: 'text', message: `${rules.name} allows at most ${rules.characters} characters` }
  if (rules.needs_image && !hasImage) return { field: 'image', message: `${rules.name} posts need an image` }
  return null
}

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const DAY_MS = 24 * HOUR_MS

/** Minutes until the next offer after one that came to nothing. */
const RETRY_MINUTES = [1, 5, 15, 60, 240]

/** When to offer again after `failures` offers that came to nothing; null where that was enough. */
export function nextAttempt(failures: number, now: Date, retryAfterSeconds: number | null): Date | null {
  const minutes = RETRY_MINUTES[failures - 1]
  if (minutes === undefined) return null
  const wait = Math.max(minutes * MINUTE_MS, Math.min((retryAfterSeconds ?? 0) * 1_000, DAY_MS))
  return new Date(now.getTime() + wait)
}

/** When to look for evidence again, of an offer made at `offered_at`; null where looking has an end. */
export function nextCheck(offeredAt: Date, now: Date): Date | null {
  const age = now.getTime() - offeredAt.getTime()
  if (age > DAY_MS) return null
  return new Date(now.getTime() + Math.max(MINUTE_MS, Math.min(age, HOUR_MS)))
}

const METRICS_DAYS = 30

/** When to count again: hourly for two days, then daily, for thirty days after publication; null from then on. */
export function nextMetrics(publishedAt: Date, now: Date): Date | null {
  const age = now.getTime() - publishedAt.getTime()
  const next = now.getTime() + (age < 2 * DAY_MS ? HOUR_MS : DAY_MS)
  return next - publishedAt.getTime() > METRICS_DAYS * DAY_MS ? null : new Date(next)
}

/** Clocks of networks and ours differ. */
const SKEW_MS = 5 * MINUTE_MS

/** Networks change white space, cut what is long, and shorten addresses; the words before them stay. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

type Seen = { provider_post_id: string; text: string; at: Date }

/**
 * The post of the account that an uncertain offer has become: of the same words, not from before the offer, and not
 * known as another post already; the earliest, where several are. Null: nothing says that it was published.
 */
export function findPublished<Post extends Seen>(
  offer: { text: string; offered_at: Date },
  posts: readonly Post[],
  known: ReadonlySet<string>,
): Post | null {
  const words = normalizeText(offer.text)
  const earliest = offer.offered_at.getTime() - SKEW_MS
  const matches = posts.filter(
    (post) =>
      !known.has(post.provider_post_id) &&
      post.at.getTime() >= earliest &&
      normalizeText(post.text) === words,
  )
  return matches.toSorted((a, b) => a.at.getTime() - b.at.getTime())[0] ?? null
}
