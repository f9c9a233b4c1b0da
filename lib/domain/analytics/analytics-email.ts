interface Share {
  numerator: number
  denominator: number
  rate: number | null
}

interface Totals {
  sent: number
  contacted: number
  unsubscribed: number
  reply_rate: Share
  bounce_rate: Share
}

export interface EmailedAnalytics {
  from: string
  to: string
  totals: Totals
  previous: Totals
  reply_hours: { median: number | null; p90: number | null }
  campaigns: (Totals & { name: string })[]
}

const MOST_CAMPAIGNS = 10
const MOST_NAME = 120

const figure = (count: number) => count.toLocaleString('en')
const percent = ({ rate }: Share) => (rate === null ? '–' : `${(100 * rate).toFixed(1)} %`)
const share = (own: Share, noun: string) =>
  `${percent(own)} (${figure(own.numerator)} of ${figure(own.denominator)} ${noun})`
/** Names are typed by users; each must fit on one line. */
const oneLine = (name: string) => name.replace(/\s+/g, ' ').trim().slice(0, MOST_NAME)

function hoursInWords(hours: number): string {
  if (hours < 1) return `${Math.max(1, Math.round(60 * hours))} min`
  return hours < 48 ? `${Math.round(hours)} h` : `${Math.round(hours / 24)} days`
}

/** The analytics of some days as an email: the same counts as on the page, but only the most important. */
export function composeAnalyticsEmail(
  workspace: string,
  { from, to, totals, previous, reply_hours, campaigns }: EmailedAnalytics,
  links: { home: string; stop: string },
) {
  const { median, p90 } = reply_hours
  const listed = campaigns.slice(0, MOST_CAMPAIGNS)
  const left = campaigns.length - listed.length
  const paragraphs = [
    `${oneLine(workspace)}, ${from} to ${to}`,
    [
      `Sent: ${figure(totals.sent)} to ${figure(totals.contacted)} leads; ${figure(previous.sent)} in as many days before`,
      `Replied: ${share(totals.reply_rate, 'contacted')}; ${percent(previous.reply_rate)} before`,
      `Bounced: ${share(totals.bounce_rate, 'tried')}; ${percent(previous.bounce_rate)} before`,
      `Unsubscribed: ${figure(totals.unsubscribed)}; ${figure(previous.unsubscribed)} before`,
      ...(median === null || p90 === null
        ? []
        : [`Time to reply: median ${hoursInWords(median)}; 9 of 10 within ${hoursInWords(p90)}`]),
    ].join('\n'),
    [
      'Campaigns',
      ...listed.map(
        (one) =>
          `- ${oneLine(one.name)}: ${figure(one.sent)} sent; replied: ${share(one.reply_rate, 'contacted')}`,
      ),
      ...(left > 0 ? [`- and ${figure(left)} more`] : []),
    ].join('\n'),
    `All figures: ${links.home}/analytics?from=${from}&to=${to}`,
    `Change how often this comes: ${links.home}/settings/notifications\nStop these emails: ${links.stop}`,
  ]
  return {
    subject: `${oneLine(workspace)}: ${figure(totals.sent)} sent, ${percent(totals.reply_rate)} replied, ${from} to ${to}`,
    text: `${paragraphs.join('\n\n')}\n`,
  }
}
