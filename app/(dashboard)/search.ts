'use server'

import { contracts } from '#lib/contracts/all'
import type { Found } from '#lib/contracts/workspaces/search'
import { search } from '#lib/operations/workspaces/search'
import { perform } from '../action.ts'
import { orNull } from '../form-result.ts'

const MOST_OPERATIONS = 5

type Operations = { operations: { id: string; summary: string }[] }

/** For the command menu; an invalid query finds nothing. */
export async function searchEverything(given: string): Promise<(Found & Operations) | null> {
  const q = given.slice(0, 200)
  const results = await orNull(perform(search, { query: { q } }))
  return results && { ...results, operations: findOperations(q.trim()) }
}

/** API operations whose summary or name contains every word. */
function findOperations(q: string): Operations['operations'] {
  const words = q.toLowerCase().split(/\s+/)
  return contracts
    .filter(({ id, summary }) => words.every((word) => `${summary} ${id}`.toLowerCase().includes(word)))
    .slice(0, MOST_OPERATIONS)
    .map(({ id, summary }) => ({ id, summary }))
}
