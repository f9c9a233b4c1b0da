'use server'

import { type Found, Search } from '#lib/contracts/search'
import { requireUser } from '#lib/http/session'
import { search } from '#lib/services/search'

/** For the command menu; what cannot be searched for finds nothing. */
export async function searchEverything(q: string): Promise<Found | null> {
  const user = await requireUser()
  const query = Search.query.safeParse({ q: q.slice(0, 200) })
  return query.success ? search(user.user_id, query.data.q) : null
}
