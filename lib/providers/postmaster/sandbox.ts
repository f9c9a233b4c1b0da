import type { CountedDay, PostmasterReader } from '#lib/providers/postmaster/port'

const DAY_MS = 86_400_000

/** Made-up figures: quiet weeks with one bad day. */
function made(at: number): CountedDay {
  const number = Math.floor(at / DAY_MS)
  const wave = ((number * 7) % 10) / 10
  return {
    date: new Date(at).toISOString().slice(0, 10),
    spam: number % 13 === 5 ? 0.0014 : 0.0002 + wave * 0.0005,
    spf: 1,
    dkim: 0.99 + wave * 0.01,
    dmarc: 0.99 + wave * 0.01,
    rejected: 0.001 + wave * 0.002,
    deferred: 0.004 + wave * 0.004,
    low_reputation: 0,
  }
}

/** Knows every domain: the whole flow without a Google account. */
export const sandboxPostmaster: PostmasterReader = {
  read: async (_token, { from, to }) => {
    const days: CountedDay[] = []
    // Google has no data for the last two days yet.
    for (let at = Date.parse(from); at <= Date.parse(to) - 2 * DAY_MS; at += DAY_MS) days.push(made(at))
    return { ok: true, days }
  },
}
