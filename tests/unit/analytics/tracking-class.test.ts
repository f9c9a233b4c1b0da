import { describe, expect, test } from 'vitest'
import { classifyBurst, classifyHit, type Hit } from '#lib/domain/analytics/tracking-class'

const SENT = Date.parse('2026-03-02T10:00:00Z')
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36'

const hit = (over: Partial<Hit> = {}): Hit => ({
  kind: 'click',
  method: 'GET',
  user_agent: CHROME,
  purpose: null,
  link: over.kind === 'open' ? 0 : 1,
  at: SENT + 3_600_000,
  sent_at: SENT,
  clicks: [],
  ...over,
})
const classOf = (over: Partial<Hit>) => classifyHit(hit(over)).class
const rulesOf = (over: Partial<Hit>) => classifyHit(hit(over)).evidence.map(({ rule }) => rule)

describe('people', () => {
  test.each([
    ['Chrome on Windows', CHROME],
    [
      'Safari on an iPhone',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1',
    ],
    ['Firefox on Linux', 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'],
    [
      'Edge',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/139.0.0.0 Safari/537.36 Edg/139.0.0.0',
    ],
    [
      'Outlook on Windows',
      'Mozilla/4.0 (compatible; MSIE 7.0; Windows NT 10.0; WOW64; Trident/7.0; .NET4.0C; .NET4.0E; Microsoft Outlook 16.0.5134; ms-office; MSOffice 16)',
    ],
    ['Thunderbird', 'Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Thunderbird/128.12.0'],
    [
      'Samsung Internet',
      'Mozilla/5.0 (Linux; Android 14; SM-S918B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/27.0 Chrome/125.0.0.0 Mobile Safari/537.36',
    ],
    [
      'the app of a network, whose name is also a bot’s',
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148 [LinkedInApp]/9.30',
    ],
  ])('%s, opening and clicking, without a word of evidence', (_, user_agent) => {
    expect(classifyHit(hit({ user_agent }))).toEqual({ class: 'human', evidence: [] })
    expect(classifyHit(hit({ kind: 'open', user_agent }))).toEqual({ class: 'human', evidence: [] })
  })
})

describe('mail proxies', () => {
  test.each([
    ['Gmail', 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'],
    [
      'Gmail',
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/42.0.2311.135 Safari/537.36 Edge/12.246 Mozilla/5.0',
    ],
    ['Yahoo', 'YahooMailProxy; https://help.yahoo.com/kb/yahoo-mail-proxy-SLN28749.html'],
    ['Apple Mail Privacy', 'Mozilla/5.0'],
  ])('%s fetching an image is neither a person nor a scanner, however soon', (found, user_agent) => {
    for (const at of [SENT + 100, SENT + 3_600_000])
      expect(classifyHit(hit({ kind: 'open', user_agent, at }))).toEqual({
        class: 'proxy',
        evidence: [{ rule: 'image_proxy', found }],
      })
  })

  test('a browser that fetches ahead of its reader says so', () => {
    expect(classifyHit(hit({ purpose: 'prefetch;prerender' }))).toMatchObject({
      class: 'proxy',
      evidence: [{ rule: 'prefetch_header' }],
    })
  })

  test('what names itself as barely as Apple’s proxy and follows a link is a program', () => {
    expect(rulesOf({ user_agent: 'Mozilla/5.0' })).toEqual(['bare_user_agent'])
  })
})

describe('scanners', () => {
  test.each([
    ['BarracudaCentral', 'Mozilla/5.0 (compatible; Barracuda Sentinel (EE))'],
    ['Slack', 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'],
    ['Slack’s images', 'Slack-ImgProxy (+https://api.slack.com/robots)'],
    ['Google', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Bing', 'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)'],
    ['Facebook', 'facebookexternalhit/1.1 (+http://www.facebook.com/externalhit_uatext.php)'],
    [
      'Skype',
      'Mozilla/5.0 (Windows NT 6.1; WOW64) SkypeUriPreview Preview/0.5 skype-url-preview@microsoft.com',
    ],
    ['WhatsApp', 'WhatsApp/2.23.20.0'],
    [
      'headless Chrome',
      'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/120.0.0.0 Safari/537.36',
    ],
    ['Python', 'python-requests/2.32.3'],
    ['curl', 'curl/8.5.0'],
    ['Go', 'Go-http-client/2.0'],
    ['Java', 'Java/17.0.9'],
    ['Apache', 'Apache-HttpClient/4.5.13 (Java/11.0.20)'],
    ['urlscan', 'Mozilla/5.0 (compatible; urlscan.io/1.0)'],
  ])('%s is known by its name', (_, user_agent) => {
    expect(rulesOf({ user_agent })).toEqual(['user_agent'])
    expect(classOf({ kind: 'open', user_agent })).toBe('scanner')
  })

  test.each([
    ['HEAD', { method: 'HEAD' }, 'method'],
    ['no name', { user_agent: null }, 'no_user_agent'],
    ['an empty name', { user_agent: '  ' }, 'no_user_agent'],
    ['a click 9.9 s after delivery', { at: SENT + 9_900 }, 'soon_after_delivery'],
    ['a click before the server had answered', { at: SENT - 500 }, 'soon_after_delivery'],
    ['an open 1.9 s after delivery', { kind: 'open', at: SENT + 1_900 }, 'soon_after_delivery'],
  ] as const)('%s', (_, over, rule) => {
    expect(classifyHit(hit(over))).toMatchObject({ class: 'scanner', evidence: [{ rule }] })
  })

  test('a person may click after ten seconds and open after two', () => {
    expect(classOf({ at: SENT + 10_000 })).toBe('human')
    expect(classOf({ kind: 'open', at: SENT + 2_000 })).toBe('human')
  })

  const T = SENT + 3_600_000
  test.each([
    ['two links in 2 s', 2, [{ link: 1, at: T - 2_000 }], [2, 1]],
    ['two links in 3 s', 2, [{ link: 1, at: T - 3_000 }], null],
    [
      'three links in 10 s',
      3,
      [
        { link: 1, at: T - 10_000 },
        { link: 2, at: T - 5_000 },
      ],
      [3, 1, 2],
    ],
    [
      'three links in 11 s',
      3,
      [
        { link: 1, at: T - 11_000 },
        { link: 2, at: T - 5_000 },
      ],
      null,
    ],
    ['one link twice', 1, [{ link: 1, at: T - 100 }], null],
  ] as const)('%s', (_, link, clicks, links) => {
    const given = { link, at: T, clicks }
    expect(classifyBurst(hit(given))?.links ?? null).toEqual(links)
    expect(classOf(given)).toBe(links ? 'scanner' : 'human')
  })

  test('all that speaks against a person is told', () => {
    expect(
      rulesOf({
        method: 'HEAD',
        user_agent: 'curl/8',
        at: SENT + 1,
        link: 2,
        clicks: [{ link: 1, at: SENT }],
      }),
    ).toEqual(['method', 'user_agent', 'soon_after_delivery', 'burst'])
  })
})
