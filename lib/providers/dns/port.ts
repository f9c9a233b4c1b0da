/** Why there was no answer. None of them says anything about the record: it may well be there. */
export type DnsFailure = 'timeout' | 'server_failed' | 'refused' | 'unreachable' | 'malformed'

/**
 * The answer to one question. `none` is a sure answer: the name does not exist, or has no record of that type. `failed` is
 * not, and must never be taken for one.
 */
export type DnsAnswer<T> =
  | { outcome: 'found'; records: T[] }
  | { outcome: 'none'; reason: 'no_such_name' | 'no_such_record' }
  | { outcome: 'failed'; reason: DnsFailure; error: string }

export type MxRecord = { priority: number; exchange: string }
export type SrvRecord = { host: string; port: number }

/** Names are asked without a trailing dot, and answered so in lower case. Never throws for what DNS does. */
export interface DnsProvider {
  /** Each record as one text, its strings joined. A CNAME on the way is followed. */
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<MxRecord>>
  cname(name: string): Promise<DnsAnswer<string>>
  /** Where a service is (RFC 2782), the best first; one that says there is none is left out. */
  srv(name: string): Promise<DnsAnswer<SrvRecord>>
  /** IPv4 and IPv6. */
  addresses(name: string): Promise<DnsAnswer<string>>
  /** Names of an address. */
  reverse(address: string): Promise<DnsAnswer<string>>
}
