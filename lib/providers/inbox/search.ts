import type { ImapFlow, SearchObject } from 'imapflow'

/** The numbers that match, in order. A search that was refused, or broke off, found nothing out: it is no empty one. */
export async function searchUids(client: ImapFlow, query: SearchObject): Promise<number[]> {
  const uids = await trySearch(client, query)
  if (!uids) throw new Error('The server refused a search')
  return uids
}

/** The same where there is another way: null where the server refuses such a search. */
export async function trySearch(client: ImapFlow, query: SearchObject): Promise<number[] | null> {
  const uids = await client.search(query, { uid: true })
  if (uids) return uids.sort((a, b) => a - b)
  if (!client.usable) throw new Error('The connection was lost')
  return null
}

const LAST_VALIDITY = 2n ** 32n - 1n

/** Some servers name none, or what is none (RFC 3501 section 2.3.1.1): their numbers are taken to stay. */
export function validityIn({ uidValidity }: { uidValidity?: bigint }): bigint {
  return uidValidity !== undefined && uidValidity >= 0n && uidValidity <= LAST_VALIDITY ? uidValidity : 0n
}
