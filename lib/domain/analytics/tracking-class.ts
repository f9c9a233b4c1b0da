export const TRACKING_KINDS = ['open', 'click'] as const
export type TrackingKind = (typeof TRACKING_KINDS)[number]

/**
 * `human`: no evidence against a person. `proxy`: a mail service fetched the image, whether or not anybody looked. `scanner`: a
 * program that follows links.
 */
export const TRACKING_CLASSES = ['human', 'proxy', 'scanner'] as const
export type TrackingClass = (typeof TRACKING_CLASSES)[number]

export type Evidence = { rule: string; found: string }

export type Hit = {
  kind: TrackingKind
  method: string
  user_agent: string | null
  /** Headers by which a browser says that it prefetches: Sec-Purpose, Purpose, X-Purpose, X-Moz. */
  purpose: string | null
  /** 1…n for clicks, 0 for opens. */
  link: number
  at: number
  /** When the server accepted the message, as far as is known. */
  sent_at: number
  /** The latest click on each link of the same message so far. */
  clicks: readonly { link: number; at: number }[]
}

/** Sooner than a person could open or click; programs that check incoming mail are that quick. */
const QUICK_MS = { open: 2_000, click: 10_000 }

/** Clicks on that many different links of one mail within that time come from a program. */
const BURSTS = [
  { links: 2, within_ms: 2_000 },
  { links: 3, within_ms: 10_000 },
]

/** Mail services that fetch images for their users, some before anybody has opened the mail. */
const PROXIES: readonly [name: string, pattern: RegExp][] = [
  ['Gmail', /GoogleImageProxy|ggpht\.com/i],
  ['Gmail', /Chrome\/42\.0\.2311\.135 Safari\/537\.36 Edge\/12\.246 Mozilla\/5\.0$/],
  ['Yahoo', /YahooMailProxy/i],
  ['DuckDuckGo', /DuckDuckGo-?Email/i],
  // The complete user agent of Apple Mail Privacy Protection.
  ['Apple Mail Privacy', /^Mozilla\/5\.0$/],
]

const SCANNERS: readonly [name: string, pattern: RegExp][] = [
  [
    'security product',
    /barracuda|proofpoint|mimecast|symantec|messagelabs|forcepoint|trend ?micro|sophos|fireeye|trellix|fortinet|cloudmark|ironport|zscaler|checkpoint|check point|bitdefender|kaspersky|virustotal|urlscan|safebrowsing|area1|ms-office; ?scan|EasySecurity/i,
  ],
  [
    'link preview',
    /slackbot|slack-imgproxy|twitterbot|facebookexternalhit|linkedinbot|whatsapp\/|telegrambot|discordbot|skypeuripreview|microsoftpreview|iframely|embedly|bitlybot/i,
  ],
  ['crawler', /\b\w*(?:bot|crawler|spider)\b|scanner|slurp/i],
  [
    'program without a reader',
    /headlesschrome|phantomjs|puppeteer|playwright|selenium|electron-fetch|curl\/|wget\/|python|aiohttp|httpx|libwww|lwp::|go-http-client|java\/|okhttp|apache-httpclient|axios|node-fetch|undici|guzzle|ruby|perl|php\/|winhttp|postman|insomnia|httpie|dart:io/i,
  ],
]

/** Who or what opened or clicked, with the evidence; without evidence it counts as a person. */
export function classifyHit(hit: Hit): { class: TrackingClass; evidence: Evidence[] } {
  const scanner = scannerEvidence(hit)
  if (scanner.length > 0) return { class: 'scanner', evidence: scanner }
  const proxy = proxyEvidence(hit)
  return { class: proxy.length > 0 ? 'proxy' : 'human', evidence: proxy }
}

function scannerEvidence(hit: Hit): Evidence[] {
  const agent = hit.user_agent?.trim() ?? ''
  const isProxy = hit.kind === 'open' && findProxy(agent) !== null
  const evidence: Evidence[] = []
  if (hit.method !== 'GET') evidence.push({ rule: 'method', found: hit.method })
  if (agent === '') evidence.push({ rule: 'no_user_agent', found: '' })
  // Browsers name their system in brackets.
  else if (!isProxy && /^Mozilla\/\d(?:\.\d)?$/.test(agent))
    evidence.push({ rule: 'bare_user_agent', found: agent })
  const known = isProxy ? undefined : SCANNERS.find(([, pattern]) => pattern.test(agent))
  if (known) evidence.push({ rule: 'user_agent', found: `${known[0]}: ${known[1].exec(agent)?.[0] ?? ''}` })
  const after = hit.at - hit.sent_at
  if (!isProxy && after < QUICK_MS[hit.kind])
    evidence.push({ rule: 'soon_after_delivery', found: `${(Math.max(0, after) / 1000).toFixed(1)} s` })
  const burst = classifyBurst(hit)
  if (burst) evidence.push({ rule: 'burst', found: `${burst.links.length} links in ${burst.seconds} s` })
  return evidence
}

const findProxy = (agent: string): string | null =>
  PROXIES.find(([, pattern]) => pattern.test(agent))?.[0] ?? null

function proxyEvidence({ kind, user_agent, purpose }: Hit): Evidence[] {
  const service = kind === 'open' ? findProxy(user_agent?.trim() ?? '') : null
  return [
    ...(service ? [{ rule: 'image_proxy', found: service }] : []),
    ...(/prefetch|preview/i.test(purpose ?? '')
      ? [{ rule: 'prefetch_header', found: (purpose ?? '').slice(0, 50) }]
      : []),
  ]
}

/** The links of one message that were clicked too quickly for a person, including this one; null if they were not. */
export function classifyBurst({
  kind,
  link,
  at,
  clicks,
}: Pick<Hit, 'kind' | 'link' | 'at' | 'clicks'>): { links: number[]; seconds: number; since: number } | null {
  if (kind !== 'click') return null
  for (const { links: least, within_ms } of BURSTS) {
    const recent = clicks.filter((click) => click.link !== link && Math.abs(at - click.at) <= within_ms)
    const links = [...new Set([link, ...recent.map((click) => click.link)])]
    if (links.length < least) continue
    return { links, seconds: within_ms / 1000, since: at - within_ms }
  }
  return null
}
