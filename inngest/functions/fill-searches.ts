import { SearchFillRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { fillSearchesRound } from '#lib/services/leads/people/search-round'

/** Rounds per run: few enough to keep a call's state small; the next run continues. */
const ROUNDS = 50

/** Fills the search texts, for a limited time per round. Rows that are written to meanwhile are left to the next hour. */
export const fillSearches = inngest.createFunction(
  { id: 'fill-searches', triggers: [SearchFillRequested], concurrency: { limit: 1 }, retries: 2 },
  async ({ step }) => {
    for (let round = 1; round <= ROUNDS; round++) {
      const { goes_on } = await step.run(`round-${round}`, () => fillSearchesRound())
      if (!goes_on) return { outcome: 'done' }
    }
    await step.sendEvent('go-on', SearchFillRequested.create({}))
    return { outcome: 'goes on' }
  },
)
