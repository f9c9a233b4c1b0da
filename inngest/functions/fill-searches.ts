import { SearchFillRequested } from '#lib/events/catalog'
import { inngest } from '#lib/events/client'
import { fillSearchesRound } from '#lib/services/leads/people/search-round'

/** So many rounds keep the state of one call small; then the next one goes on. */
const ROUNDS = 50

/** Fills what searches look into, a while at a time. What is written to meanwhile is left to the next hour. */
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
