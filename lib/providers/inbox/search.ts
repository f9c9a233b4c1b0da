import type { ImapFlow, SearchObject } from 'imapflow'

/** The matching uids in order. A search that was refused or broke off throws: it is not an empty result. */
export async function searchUids(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await trySearch(client, query)
  if (!uids) throw new Error('The server refused a search')
  return uids
}

/** For optional searches: null if the server refuses this one. */
export async function trySearch(client: ImapFlow, query: SearchObject): Promise<number[] | null> {
  const uids = await client.search(query, { uid: true })
  if (uids) return uids.sort((a, b) => a - b)
  if (!client.usable) throw new Error('The connection was lost')
  return null
}

const LAST_VALIDITY = 2n ** 32n - 1n

/** Some servers send no uid_validity or an invalid one (RFC 3501 section 2.3.1.1): their uids are assumed to be stable. */
export function validityIn({ uidValidity }: { uidValidity?: bigint }): bigint {
  return uidValidity !== undefined && uidValidity >= 0n && uidValidity <= LAST_VALIDITY ? uidValidity : 0n
}
