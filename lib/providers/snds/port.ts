/** The result of Outlook.com's filter for the mail of one IP address on one day. */
export type SndsDay = {
  date: string
  ip: string
  result: 'green' | 'yellow' | 'red'
  /** As Microsoft reports it: "< 0.1%". */
  complaints: string
  /** As a share of 1; for "less than" the limit itself; null if not reported. */
  complaint_share: number | null
  recipients: number
  trap_hits: number
}

export type SndsBlock = { first_ip: string; last_ip: string; reason: string }

/** `key`: the key is refused; `busy`: temporarily refused; `unreachable`. */
export type SndsFault = 'key' | 'busy' | 'unreachable'
export type SndsRefusal = { ok: false; fault: SndsFault; said: string }

/** Smart Network Data Services of Outlook.com: statistics for the IP addresses that a key covers. */
export interface SndsReader {
  /** One day, YYYY-MM-DD, for every address that sent mail to Outlook.com; few emails are not counted. */
  readDay(key: string, date: string): Promise<{ ok: true; days: SndsDay[] } | SndsRefusal>
  readBlocks(key: string): Promise<{ ok: true; blocks: SndsBlock[] } | SndsRefusal>
}
