/** What Gmail counted of a domain's mail on one day, as shares of 1; null where it had too little to say. */
export type CountedDay = {
  /** YYYY-MM-DD, as Google counts days. */
  date: string
  spam: number | null
  spf: number | null
  dkim: number | null
  dmarc: number | null
  rejected: number | null
  deferred: number | null
  low_reputation: number | null
}

/**
 * Why nothing was read. `signed_out`: the account has to sign in again; `no_access`: it may not see this domain, or Google does not
 * know it; `client`: the API is not switched on for the instance's client; `busy`: not now; `unreachable`.
 */
export type PostmasterFault = 'signed_out' | 'no_access' | 'client' | 'busy' | 'unreachable'

export type PostmasterAnswer =
  | { ok: true; days: CountedDay[] }
  | { ok: false; fault: PostmasterFault; said: string }

export interface PostmasterReader {
  /** From one day to another, both included, the oldest first; days of which nothing is known are left out. */
  read(token: string, wanted: { domain: string; from: string; to: string }): Promise<PostmasterAnswer>
}
