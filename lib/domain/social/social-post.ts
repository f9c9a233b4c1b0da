export const POST_STATUSES = ['draft', 'scheduled', 'publishing', 'published', 'failed'] as const

export const POST_CHARACTERS = 3_000

/** Counts characters as networks do: Unicode code points, so an emoji of two UTF-16 units counts once. */
export const countCharacters = (text: string): number => [...text].length

/** The limits of each network; a network that is missing here accepts no posts. */
const NETWORKS: Readonly<Record<string, { name: string; characters: number; needs_image: boolean }>> = {
  linkedin: { name: 'LinkedIn', characters: POST_CHARACTERS, needs_image: false },
  twitter: { name: 'X', characters: 280, needs_image: false },
  instagram: { name: 'Instagram', characters: 2_200, needs_image: true },
}

export const POSTING_NETWORKS = Object.keys(NETWORKS)
/** The most characters of a post on this network. */
export const charactersOn = (network: string): number => NETWORKS[network]?.characters ?? POST_CHARACTERS

export type PostProblem = { field: 'connected_account_id' | 'text' | 'image'; message: string }

/** Why a post cannot be published on a network; null if it can. */
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

/** Minutes until the next attempt after one that had no effect. */
const RETRY_MINUTES = [1, 5, 15, 60, 240]

/** When to try again after `failures` attempts without effect; null if there were enough. */
export function nextAttempt(failures: number, now: Date, retryAfterSeconds: number | null): Date | null {
  const minutes = RETRY_MINUTES[failures - 1]
  if (minutes === undefined) return null
  const wait = Math.max(minutes * MINUTE_MS, Math.min((retryAfterSeconds ?? 0) * 1_000, DAY_MS))
  return new Date(now.getTime() + wait)
}

/** When to look for evidence of an uncertain attempt again; null once the search ends. */
export function nextCheck(offeredAt: Date, now: Date): Date | null {
  const age = now.getTime() - offeredAt.getTime()
  if (age > DAY_MS) return null
  return new Date(now.getTime() + Math.max(MINUTE_MS, Math.min(age, HOUR_MS)))
}

const METRICS_DAYS = 30

/** When to read the counts again: hourly for two days, then daily until thirty days after publication; null from then on. */
export function nextMetrics(publishedAt: Date, now: Date): Date | null {
  const age = now.getTime() - publishedAt.getTime()
  const next = now.getTime() + (age < 2 * DAY_MS ? HOUR_MS : DAY_MS)
  return next - publishedAt.getTime() > METRICS_DAYS * DAY_MS ? null : new Date(next)
}

/** Our clock and a network's may differ by this much. */
const SKEW_MS = 5 * MINUTE_MS

/** Networks change white space, cut long texts and shorten URLs; the words before them stay. */
const normalizeText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()

type Seen = { provider_post_id: string; text: string; at: Date }

/**
 * The account's post that resulted from an uncertain attempt: with the same words, not older than the attempt, and not known as
 * another post; the earliest if there are several. Null: no evidence that it was published.
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
