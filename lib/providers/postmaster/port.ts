/** Gmail's statistics of a domain's mail on one day, as shares of 1; null if there was too little mail. */
export type CountedDay = {
  /** YYYY-MM-DD, by Google's calendar. */
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
 * Why nothing was read. `signed_out`: the account has to sign in again; `no_access`: it may not see this domain, or Google does
 * not know it; `client`: the API is not enabled for the instance's client; `busy`: temporarily refused; `unreachable`.
 */
export type PostmasterFault = 'signed_out' | 'no_access' | 'client' | 'busy' | 'unreachable'

export type PostmasterAnswer =
  | { ok: true; days: CountedDay[] }
  | { ok: false; fault: PostmasterFault; said: string }

export interface PostmasterReader {
  /** From one day to another, both included, oldest first; days without data are left out. */
  read(token: string, wanted: { domain: string; from: string; to: string }): Promise<PostmasterAnswer>
}
