import { dateInWords } from '#lib/domain/calendar/day-words'
import { parseDay } from '#lib/domain/calendar/zoned-time'

/** The verdict of Outlook.com's filter for the mail of one IP address on one day. */
export const SNDS_RESULTS = ['green', 'yellow', 'red'] as const
type SndsResult = (typeof SNDS_RESULTS)[number]

export type SndsDay = {
  date: string
  ip: string
  result: SndsResult
  /** As Microsoft reports it: "< 0.1%". */
  complaints: string
  /** As a share of 1; for "less than" the limit itself; null if not reported. */
  complaint_share: number | null
  recipients: number
  trap_hits: number
}

export type SndsBlock = { first_ip: string; last_ip: string; reason: string }

const DAYS = 7
const DAY_MS = 86_400_000
/** Above this rate Microsoft advises checking one's list; other senders have a tenth of it. */
export const COMPLAINTS_HIGH = 0.003

/** Warnings in sentences: for each address the worst of the last seven days; blocked addresses come first. */
export function sndsWarnings(days: readonly SndsDay[], blocks: readonly SndsBlock[], now: number): string[] {
  const first = new Date(now - DAYS * DAY_MS).toISOString().slice(0, 10)
  const recent = Map.groupBy(
    days.filter(({ date }) => date >= first),
    ({ ip }) => ip,
  )
  return [
    ...blocks.map(blockInWords),
    ...[...recent.values()].flatMap((of) => {
      const said = dayInWords(of)
      return said ? [said] : []
    }),
  ]
}

const blockInWords = ({ first_ip, last_ip, reason }: SndsBlock) => {
  const which = first_ip === last_ip ? first_ip : `${first_ip} to ${last_ip}`
  return `Outlook.com blocks ${which}${reason ? `: ${reason.replace(/\.$/, '')}` : ''}. Ask Microsoft to lift it at sendersupport.olc.protection.outlook.com.`
}

function dayInWords(days: readonly SndsDay[]): string | null {
  const latest = days.toSorted((a, b) => (a.date < b.date ? 1 : -1))
  const red = latest.find(({ result }) => result === 'red')
  if (red)
    return `Outlook.com treated more than 90 % of the mail from ${red.ip} on ${dateInWords(parseDay(red.date))} as spam. Send less, and only to people who expect it.`
  const reported = latest.find(({ complaint_share }) => (complaint_share ?? 0) >= COMPLAINTS_HIGH)
  if (reported)
    return `${reported.complaints} of the mail from ${reported.ip} to Outlook.com on ${dateInWords(parseDay(reported.date))} was reported as spam. Microsoft asks for less than 0.3 %.`
  const trapped = latest.find(({ trap_hits }) => trap_hits > 0)
  if (trapped)
    return `On ${dateInWords(parseDay(trapped.date))}, ${trapped.ip} hit ${trapped.trap_hits} of Microsoft’s spam traps. Some addresses in your lists are bought or very old.`
  return null
}
