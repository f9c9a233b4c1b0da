import { isIP } from 'node:net'
import { clean } from '#lib/providers/mail-api/http'
import { type OutboundHttpOptions, postOutbound } from '#lib/providers/outbound-http'
import type { SndsBlock, SndsDay, SndsReader, SndsRefusal } from '#lib/providers/snds/port'

export const SNDS_ORIGIN = 'https://sendersupport.olc.protection.outlook.com'

type Options = { origin: string; outbound: OutboundHttpOptions; timeout_ms?: number }

const TIMEOUT_MS = 30_000
const MAX_BYTES = 512 * 1_024
/** The most lines read for one day; for more IP addresses, only the first ones are read. */
const MOST_LINES = 500
const MOST_CHARS = 200

/** "MMDDYY", the format of the request. */
const toAsked = (date: string) => `${date.slice(5, 7)}${date.slice(8, 10)}${date.slice(2, 4)}`
const toCount = (text: string | undefined) => (/^\d{1,9}$/.test(text ?? '') ? Number(text) : 0)

/** Parses "0.3%" and "< 0.1%". */
function readComplaintShare(text: string): number | null {
  const number = Number(text.replace('<', '').replace('%', '').trim() || Number.NaN)
  return number >= 0 && number <= 100 ? number / 100 : null
}

const RESULTS = ['green', 'yellow', 'red'] as const

/** A CSV table without a header, whose first columns contain no commas. Later columns are not read. */
const toCells = (text: string): string[][] =>
  text
    .split('\n', MOST_LINES)
    .map((line) => line.split(',', 13).map((cell) => cell.trim().slice(0, MOST_CHARS)))

function toDay(date: string, cells: string[]): SndsDay[] {
  const [ip = '', , , , , recipients, filter = '', complaints = '', , , traps] = cells
  const result = RESULTS.find((one) => one === filter.toLowerCase())
  if (!isIP(ip) || !result) return []
  const complaint_share = readComplaintShare(complaints)
  return [
    {
      date,
      ip,
      result,
      complaints,
      complaint_share,
      recipients: toCount(recipients),
      trap_hits: toCount(traps),
    },
  ]
}

function toBlock([first_ip = '', last_ip = '', blocked = '', reason = '']: string[]): SndsBlock[] {
  return isIP(first_ip) && isIP(last_ip) && blocked.toLowerCase() === 'yes'
    ? [{ first_ip, last_ip, reason }]
    : []
}

export const readSndsDays = (text: string, date: string): SndsDay[] =>
  toCells(text).flatMap((cells) => toDay(date, cells))
export const readSndsBlocks = (text: string): SndsBlock[] => toCells(text).flatMap(toBlock)

/** A sign-in or error page is not a table, whatever its status. */
const isPage = (text: string) => text.trimStart().startsWith('<')

export function createSnds({ origin, outbound, timeout_ms = TIMEOUT_MS }: Options): SndsReader {
  const ask = async (
    path: string,
    key: string,
    query: Record<string, string> = {},
  ): Promise<{ ok: true; text: string } | SndsRefusal> => {
    const url = new URL(path, origin)
    url.search = new URLSearchParams({ key, ...query }).toString()
    const answer = await postOutbound(
      {
        method: 'GET',
        url: url.href,
        headers: { accept: 'text/csv, text/plain' },
        body: '',
        timeout_ms,
        max_bytes: MAX_BYTES,
        patience_ms: timeout_ms,
      },
      outbound,
    )
    if (answer.status === null) return { ok: false, fault: 'unreachable', said: clean(answer.error, key) }
    const { status, response } = answer
    if (status === 200 && !isPage(response)) return { ok: true, text: response }
    if (status === 429)
      return { ok: false, fault: 'busy', said: 'Microsoft is not accepting more requests right now.' }
    if (status >= 500) return { ok: false, fault: 'unreachable', said: `Microsoft answered ${status}.` }
    return { ok: false, fault: 'key', said: `Microsoft did not accept this key (${status}).` }
  }
  return {
    async readDay(key, date) {
      const answer = await ask('/snds/data.aspx', key, { date: toAsked(date) })
      return answer.ok ? { ok: true, days: readSndsDays(answer.text, date) } : answer
    },
    async readBlocks(key) {
      const answer = await ask('/snds/ipStatus.aspx', key)
      return answer.ok ? { ok: true, blocks: readSndsBlocks(answer.text) } : answer
    },
  }
}
