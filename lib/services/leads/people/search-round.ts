import { SearchFillRequested } from '#lib/events/catalog'
import { emit } from '#lib/events/client'
import { fillTexts, findUnsearched } from '#lib/services/datasets/search-texts'
import { fillPeopleTexts, findUnsearchedPeople } from '#lib/services/leads/people/search-texts'

const ROUND_MS = 10_000

type Options = { clock: () => Date; until: Date; least?: number }

/**
 * Fills the search texts of one dataset and workspace after the other until the time is up. Returns whether
 * more work remains.
 */
export async function fillSearchesRound(given?: Options): Promise<{ goes_on: boolean }> {
  const { clock, until, least } = given ?? {
    clock: () => new Date(),
    until: new Date(Date.now() + ROUND_MS),
  }
  const fills = [
    ...(await findUnsearched(least)).map((id) => () => fillTexts(id)),
    ...(await findUnsearchedPeople(least)).map((id) => () => fillPeopleTexts(id)),
  ]
  for (const fill of fills)
    for (let goes_on = true; goes_on; ) {
      if (clock() >= until) return { goes_on: true }
      goes_on = (await fill())?.goes_on ?? false
    }
  return { goes_on: false }
}

/** Hourly: requests work that nobody requested, or whose dataset was being written when its turn came. */
export async function askForSearchFill(): Promise<void> {
  const [datasets, workspaces] = [await findUnsearched(), await findUnsearchedPeople()]
  if (datasets.length + workspaces.length > 0) await emit(SearchFillRequested.create({}))
}
