import { z } from 'zod'
import { type ApiAnswer, askApi, clean, type MailApiOptions } from '#lib/providers/mail-api/http'
import type {
  CountedDay,
  PostmasterAnswer,
  PostmasterFault,
  PostmasterReader,
} from '#lib/providers/postmaster/port'

export const POSTMASTER_ORIGIN = 'https://gmailpostmastertools.googleapis.com'
export const POSTMASTER_SCOPE = 'https://www.googleapis.com/auth/postmaster.traffic.readonly'

const NAMES = ['spam', 'spf', 'dkim', 'dmarc', 'rejected', 'deferred', 'low_reputation'] as const

/** Version 2 no longer reports reputation: the share of mail rejected because of it comes closest. */
const METRICS: Record<(typeof NAMES)[number], { standardMetric: string; filter?: string }> = {
  spam: { standardMetric: 'SPAM_RATE' },
  spf: { standardMetric: 'AUTH_SUCCESS_RATE', filter: 'auth_type = "spf"' },
  dkim: { standardMetric: 'AUTH_SUCCESS_RATE', filter: 'auth_type = "dkim"' },
  dmarc: { standardMetric: 'AUTH_SUCCESS_RATE', filter: 'auth_type = "dmarc"' },
  rejected: { standardMetric: 'DELIVERY_ERROR_RATE', filter: 'error_type = "reject"' },
  deferred: { standardMetric: 'DELIVERY_ERROR_RATE', filter: 'error_type = "temp_fail"' },
  low_reputation: {
    standardMetric: 'DELIVERY_ERROR_RATE',
    filter: 'error_type = "reject" AND error_reason = "low_domain_reputation"',
  },
}

/** The largest page that Google allows, and the most pages requested: thirty days of all metrics take two. */
const PAGE_SIZE = 200
const MOST_PAGES = 10

const whole = z.int()
const Page = z.object({
  domainStats: z
    .array(
      z.object({
        metric: z.string(),
        date: z.object({ year: whole, month: whole, day: whole }).optional(),
        value: z
          .object({
            doubleValue: z.number().optional(),
            floatValue: z.number().optional(),
            // A 64-bit number is a string in JSON.
            intValue: z.coerce.number().optional(),
          })
          .optional(),
      }),
    )
    .default([]),
  nextPageToken: z.string().optional(),
})
type Page = z.output<typeof Page>
const Said = z.object({ error: z.object({ message: z.string() }) })

const FAULTS: Record<number, PostmasterFault> = {
  401: 'signed_out',
  403: 'no_access',
  404: 'no_access',
  429: 'busy',
}

function toRefusal(answer: ApiAnswer, token: string): PostmasterAnswer {
  if (answer.status === null) return { ok: false, fault: 'unreachable', said: answer.error }
  const read = Said.safeParse(answer.body)
  const said = clean(read.data?.error.message ?? '', token) || `Google answered ${answer.status}.`
  const isOff = JSON.stringify(answer.body ?? '').includes('SERVICE_DISABLED')
  return { ok: false, fault: isOff ? 'client' : (FAULTS[answer.status] ?? 'unreachable'), said }
}

const toParts = (date: string) => {
  const [year, month, day] = date.split('-').map(Number)
  return { year, month, day }
}
const toDate = ({ year, month, day }: { year: number; month: number; day: number }) =>
  [String(year).padStart(4, '0'), String(month).padStart(2, '0'), String(day).padStart(2, '0')].join('-')

/** An invalid share counts as unknown. */
const toShare = (value: Page['domainStats'][number]['value']): number | null => {
  const share = value?.doubleValue ?? value?.floatValue ?? value?.intValue ?? 0
  return share >= 0 && share <= 1 ? share : null
}

function keepStats(days: Map<string, CountedDay>, { domainStats }: Page): void {
  for (const { metric, date, value } of domainStats) {
    const name = NAMES.find((one) => one === metric)
    if (!name || !date) continue
    const key = toDate(date)
    const day = days.get(key) ?? { ...NOTHING, date: key }
    days.set(key, { ...day, [name]: toShare(value) })
  }
}

const NOTHING: Omit<CountedDay, 'date'> = {
  spam: null,
  spf: null,
  dkim: null,
  dmarc: null,
  rejected: null,
  deferred: null,
  low_reputation: null,
}

/** The driver for the Postmaster Tools API v2. */
export function createGooglePostmaster(options: MailApiOptions): PostmasterReader {
  return {
    async read(token, { domain, from, to }) {
      const asked = {
        metricDefinitions: NAMES.map((name) => {
          const { standardMetric, filter } = METRICS[name]
          return { name, baseMetric: { standardMetric }, ...(filter && { filter }) }
        }),
        timeQuery: { dateRanges: { dateRanges: [{ start: toParts(from), end: toParts(to) }] } },
        aggregationGranularity: 'DAILY',
        pageSize: PAGE_SIZE,
      }
      const days = new Map<string, CountedDay>()
      let pageToken = ''
      for (let page = 0; page < MOST_PAGES; page++) {
        const answer = await askApi(options, token, {
          method: 'POST',
          path: `/v2/domains/${encodeURIComponent(domain)}/domainStats:query`,
          body: { ...asked, ...(pageToken && { pageToken }) },
        })
        if (answer.status !== 200) return toRefusal(answer, token)
        const read = Page.safeParse(answer.body)
        if (!read.success) return { ok: false, fault: 'unreachable', said: 'Google’s answer cannot be read.' }
        keepStats(days, read.data)
        pageToken = read.data.nextPageToken ?? ''
        if (!pageToken) break
      }
      return {
        ok: true,
        days: [...days.values()]
          .filter(({ date }) => date >= from && date <= to)
          .sort((a, b) => (a.date < b.date ? -1 : 1)),
      }
    },
  }
}
