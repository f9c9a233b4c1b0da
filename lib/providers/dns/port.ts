/** Why there was no answer. None of these says anything about the record, which may well exist. */
export type DnsFailure = 'timeout' | 'server_failed' | 'refused' | 'unreachable' | 'malformed'

/**
 * The answer to one question. `none` is certain: the name does not exist, or has no record of that type. `failed` is not
 * certain, and must never be treated as `none`.
 */
export type DnsAnswer<T> =
  | { outcome: 'found'; records: T[] }
  | { outcome: 'none'; reason: 'no_such_name' | 'no_such_record' }
  | { outcome: 'failed'; reason: DnsFailure; error: string }

export type MxRecord = { priority: number; exchange: string }
export type SrvRecord = { host: string; port: number }

/** Queried names have no trailing dot; returned names have none either and are in lower case. Never throws for DNS failures. */
export interface DnsProvider {
  /** Each record as one text, its strings joined. CNAMEs are followed. */
  txt(name: string): Promise<DnsAnswer<string>>
  mx(name: string): Promise<DnsAnswer<MxRecord>>
  cname(name: string): Promise<DnsAnswer<string>>
  /** Where a service is (RFC 2782), by priority; a record that says there is no such service is left out. */
  srv(name: string): Promise<DnsAnswer<SrvRecord>>
  /** IPv4 and IPv6 addresses. */
  addresses(name: string): Promise<DnsAnswer<string>>
  /** The host names of an address. */
  reverse(address: string): Promise<DnsAnswer<string>>
}
