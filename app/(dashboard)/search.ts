'use server'

import { contracts } from '#lib/contracts/all'
import { type Found, Search } from '#lib/contracts/workspaces/search'
import { requireUser } from '#lib/http/session'
import { search } from '#lib/services/workspaces/search'

const MOST_OPERATIONS = 5

type Operations = { operations: { id: string; summary: string }[] }

/** For the command menu; what cannot be searched for finds nothing. */
export async function searchEverything(q: string): Promise<(Found & Operations) | null> {
  const user = await requireUser()
  const query = Search.query.safeParse({ q: q.slice(0, 200) })
  if (!query.success) return null
  return { ...(await search(user.user_id, query.data.q)), operations: operationsOf(query.data.q) }
}

/** Operations of the API whose summary or name holds every word. */
function operationsOf(q: string): Operations['operations'] {
  const words = q.toLowerCase().split(/\s+/)
  return contracts
    .filter(({ id, summary }) => words.every((word) => `${summary} ${id}`.toLowerCase().includes(word)))
    .slice(0, MOST_OPERATIONS)
    .map(({ id, summary }) => ({ id, summary }))
}
