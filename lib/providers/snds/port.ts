/** What the filter of Outlook.com made of the mail of one IP address on one day. */
export type SndsDay = {
  date: string
  ip: string
  result: 'green' | 'yellow' | 'red'
  /** As Microsoft says it: "< 0.1%". */
  complaints: string
  /** As a share of 1, and of "less than" the number itself; null where it says none. */
  complaint_share: number | null
  recipients: number
  trap_hits: number
}

export type SndsBlock = { first_ip: string; last_ip: string; reason: string }

/** `key`: it is refused; `busy`: not now; `unreachable`. */
export type SndsFault = 'key' | 'busy' | 'unreachable'
export type SndsRefusal = { ok: false; fault: SndsFault; said: string }

/** Smart Network Data Services of Outlook.com: what it counts of the IP addresses that a key is for. */
export interface SndsReader {
  /** One day, YYYY-MM-DD, of every address that wrote to it; of few emails nothing is counted. */
  readDay(key: string, date: string): Promise<{ ok: true; days: SndsDay[] } | SndsRefusal>
  readBlocks(key: string): Promise<{ ok: true; blocks: SndsBlock[] } | SndsRefusal>
}
