import { afterEach, describe, expect, test } from 'vitest'
import { ReadCampaignAnalytics } from '#lib/contracts/campaigns/campaign-analytics'
import { ReadLaunchChecks } from '#lib/contracts/campaigns/launch-checks'
import { ExportCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { ReadLeadTimeline } from '#lib/contracts/leads/lead-timelines'
import { db } from '#lib/db/client'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { recordHit } from '#lib/services/campaigns/tracking'
import { sendTest } from '#lib/services/step-previews/step-previews'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aMailbox, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND, WATCHED } from '#tests/support/scenes/launched'
import { previewMail } from '#tests/support/scenes/previews'
import { listen } from '#tests/support/scenes/webhooks'
import { GET as followLink, HEAD as headLink } from '../../../app/(public)/t/c/[token]/route.ts'
import { GET as getImage } from '../../../app/(public)/t/o/[file]/route.ts'

const DAY = 24 * 60
const BROWSER = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
const GMAIL = 'Mozilla/5.0 (Windows NT 5.1; rv:11.0) Gecko Firefox/11.0 (via ggpht.com GoogleImageProxy)'
const LINKS = {
  subject: 'Hello {{ first_name }}',
  message_template:
    '<p>See <a href="https://one.test/?a=1&amp;b=ü#part">one</a>, <a href="https://two.test/">two</a>, <a href="https://three.test/">three</a> or <a href="{{ unsubscribe_url }}">leave</a>.</p>',
  track_clicks: true,
}

afterEach(async () => {
  await db.campaign.deleteMany()
})

const tokensIn = (mail: OutgoingMail) =>
  [...mail.html.matchAll(/href="http:\/\/opener\.test\/t\/c\/([^"]+)"/g)].map(([, token = '']) => token)
const pixelIn = (mail: OutgoingMail) =>
  /src="http:\/\/opener\.test\/t\/o\/([^"]+)"/.exec(mail.html)?.[1] ?? ''

const visit = (path: string, { method = 'GET', agent = BROWSER }: { method?: string; agent?: string }) =>
  new Request(`http://opener.test${path}`, { method, headers: { 'user-agent': agent } })
const click = (token: string, how: { method?: 'GET' | 'HEAD'; agent?: string } = {}) =>
  (how.method === 'HEAD' ? headLink : followLink)(visit(`/t/c/${token}`, how), {
    params: Promise.resolve({ token }),
  })
const fetchImage = (file: string, how: { agent?: string } = {}) =>
  getImage(visit(`/t/o/${file}`, how), { params: Promise.resolve({ file }) })

const kept = (campaign_id: string) =>
  db.trackingEvent.findMany({
    where: { campaign_id },
    orderBy: [{ kind: 'asc' }, { link: 'asc' }, { class: 'asc' }],
  })

/** Sent long ago, so that a visit now is not classed as a scanner's because it came too soon. */
async function sent(steps_config: object[], leads = 1) {
  const campaign = await launched({ steps_config }, leads)
  const { outbox } = await dispatchAt(MONDAY)
  const [mail] = outbox
  if (!mail) throw new Error('nothing left')
  return { ...campaign, mail, outbox }
}

/** A person's open or click of a message, at a given instant. */
const personal = (mail: OutgoingMail, kind: 'open' | 'click', at: Date) =>
  recordHit(
    { action_id: mail.message_id.slice(1, 37), kind, link: kind === 'open' ? 0 : 1, url: null },
    { method: 'GET', user_agent: BROWSER, purpose: null },
    at,
  )

describe('a tracked mail', () => {
  test('its links lead on to where they led before, and a click is kept once with its count', async () => {
    const { mail, campaign_id } = await sent([LINKS])
    const tokens = tokensIn(mail)
    expect(tokens).toHaveLength(3)
    expect(mail.html).toContain('href="http://opener.test/unsubscribe/')
    expect(mail.html).not.toContain('.gif')
    expect(mail.text).toContain('https://one.test/?a=1&b=ü#part')
    expect(mail.text).not.toContain('/t/c/')
    for (const _ of [1, 2]) {
      const response = await click(tokens[0] ?? '')
      expect([response.status, response.headers.get('location')]).toEqual([
        302,
        'https://one.test/?a=1&b=%C3%BC#part',
      ])
      expect(response.headers.get('cache-control')).toContain('no-store')
    }
    expect(await kept(campaign_id)).toMatchObject([
      { kind: 'click', link: 1, class: 'human', hits: 2, step: 1, url: 'https://one.test/?a=1&b=ü#part' },
    ])
  })

  test('its image is one pixel that nobody caches; a proxy and a person are told apart', async () => {
    const { mail, campaign_id } = await sent([WATCHED])
    const response = await fetchImage(pixelIn(mail), { agent: GMAIL })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/gif'])
    expect(response.headers.get('cache-control')).toContain('no-store')
    expect(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 6)
        .toString(),
    ).toBe('GIF89a')
    await fetchImage(pixelIn(mail))
    expect((await kept(campaign_id)).map((row) => [row.class, row.hits])).toEqual([
      ['human', 1],
      ['proxy', 1],
    ])
  })

  test('a webhook that asks hears of a person’s first open, and background work begins for it alone', async () => {
    const { mail, outbox, owner } = await sent([{ ...LINKS, track_opens: true }], 2)
    const open = (one: OutgoingMail | undefined) => personal(one ?? mail, 'open', new Date())
    expect(await open(mail)).toEqual({ is_told: false })
    await listen(owner, 'https://hooks.example.com/', { event_types: ['lead.opened'] })
    expect(await open(mail)).toEqual({ is_told: false })
    expect(await open(outbox[1])).toEqual({ is_told: true })
    expect(await open(outbox[1])).toEqual({ is_told: false })
    expect(await db.webhookEvent.count({ where: { workspace_id: owner.workspace_id } })).toBe(1)
  })

  test('a step that does not ask for it carries neither', async () => {
    const { mail } = await sent([{ ...LINKS, track_clicks: false }])
    expect(mail.html).not.toContain('/t/')
  })

  test.each([
    ['changed', (token: string) => `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`],
    ['of another kind', (token: string) => token.replace('c1.', 'o1.')],
    ['made up', () => 'https://evil.test'],
  ])('a token that was %s is 404 and never a redirect', async (_, change) => {
    const { mail, campaign_id } = await sent([LINKS])
    const response = await click(change(tokensIn(mail)[0] ?? ''))
    expect([response.status, response.headers.get('location')]).toEqual([404, null])
    expect(await response.text()).toContain('does not work')
    expect((await fetchImage(change(tokensIn(mail)[0] ?? ''))).status).toBe(404)
    expect(await kept(campaign_id)).toEqual([])
  })

  test('HEAD is a scanner’s, and leads on all the same', async () => {
    const { mail, campaign_id } = await sent([LINKS])
    const response = await click(tokensIn(mail)[0] ?? '', { method: 'HEAD' })
    expect(response.status).toBe(302)
    expect(await kept(campaign_id)).toMatchObject([
      { class: 'scanner', evidence: [{ rule: 'method', found: 'HEAD' }] },
    ])
  })

  test('links still lead on once their campaign is gone, and then nothing is kept', async () => {
    const { mail, campaign_id } = await sent([LINKS])
    await db.campaign.delete({ where: { campaign_id } })
    expect((await click(tokensIn(mail)[1] ?? '')).headers.get('location')).toBe('https://two.test/')
    expect(await kept(campaign_id)).toEqual([])
  })

  test('links that are followed in a burst are a scanner’s, the first of them too; a person’s later click is not', async () => {
    const { mail, campaign_id } = await sent([LINKS])
    await Promise.all(tokensIn(mail).map((token) => click(token)))
    expect((await kept(campaign_id)).map((row) => [row.link, row.class, row.hits])).toEqual([
      [1, 'scanner', 1],
      [2, 'scanner', 1],
      [3, 'scanner', 1],
    ])
    await personal(mail, 'click', new Date(Date.now() + 60_000))
    expect((await kept(campaign_id)).filter((row) => row.class === 'human')).toMatchObject([{ link: 1 }])
  })

  test('an earlier click of a person stays a person’s when a scanner comes by', async () => {
    const { mail, campaign_id } = await sent([LINKS])
    await personal(mail, 'click', minutes(60))
    await Promise.all(tokensIn(mail).map((token) => click(token)))
    expect((await kept(campaign_id)).map((row) => [row.link, row.class])).toEqual([
      [1, 'human'],
      [1, 'scanner'],
      [2, 'scanner'],
      [3, 'scanner'],
    ])
  })

  test('however often it is opened, it is one row that stops counting at a thousand', async () => {
    const { mail, campaign_id } = await sent([WATCHED])
    await personal(mail, 'open', minutes(60))
    await db.trackingEvent.updateMany({ where: { campaign_id }, data: { hits: 999 } })
    for (let round = 0; round < 3; round++) await personal(mail, 'open', minutes(61))
    expect((await kept(campaign_id)).map((row) => row.hits)).toEqual([1_000])
  })
})

describe('previews and test messages', () => {
  test('show the very bytes but for tokens that count for nothing', async () => {
    const { mail, owner, campaign_id } = await sent([{ ...LINKS, track_opens: true }])
    const preview = await previewMail(owner.workspace_id, campaign_id, { step: 1, lead_index: 0 }, MONDAY)
    const anonymous = (html: string) => html.replace(/\/t\/([co])\/[\w.-]+?(\.gif)?"/g, '/t/$1/TOKEN$2"')
    expect(anonymous(preview.html)).toBe(anonymous(mail.html))
    expect(preview.html).toHaveLength(mail.html.length)
    const shown = { ...mail, html: preview.html }
    expect((await click(tokensIn(shown)[0] ?? '')).status).toBe(302)
    expect((await fetchImage(pixelIn(shown))).status).toBe(200)
    const mailbox = memoryMail()
    await sendTest(
      owner.workspace_id,
      campaign_id,
      { step: 1, lead_index: 0, to: 'me@example.com' },
      MONDAY,
      mailbox.provider,
    )
    const [test] = mailbox.outbox
    if (!test) throw new Error('no test message')
    expect((await click(tokensIn(test)[0] ?? '')).status).toBe(302)
    expect(await kept(campaign_id)).toEqual([])
  })
})

describe('a step with a condition', () => {
  const stepsDone = async (campaign_id: string) =>
    (await db.action.findMany({ where: { campaign_id, step: 2 }, orderBy: { campaign_lead_id: 'asc' } })).map(
      (action) => action.status,
    )
  const both = { ...WATCHED, ...LINKS, track_opens: true }

  test.each([
    ['opened', 'open', 'sent'],
    ['opened', 'click', 'sent'],
    ['opened', null, 'skipped'],
    ['not_opened', 'open', 'skipped'],
    ['not_opened', null, 'sent'],
    ['clicked', 'click', 'sent'],
    ['clicked', 'open', 'skipped'],
    ['not_clicked', 'click', 'skipped'],
    ['not_clicked', 'open', 'sent'],
  ] as const)('%s after %s: %s', async (condition, done, status) => {
    const { mail, campaign_id } = await sent([both, { ...SECOND, condition }])
    if (done) await personal(mail, done, minutes(60))
    await dispatchAt(minutes(DAY - 1))
    expect(await stepsDone(campaign_id)).toEqual([])
    await dispatchAt(minutes(DAY))
    expect(await stepsDone(campaign_id)).toEqual([status])
  })

  test('is judged by people, not by machines', async () => {
    const { mail, campaign_id } = await sent([both, { ...SECOND, condition: 'opened' }])
    await fetchImage(pixelIn(mail), { agent: GMAIL })
    await click(tokensIn(mail)[0] ?? '', { method: 'HEAD' })
    await dispatchAt(minutes(DAY))
    expect(await stepsDone(campaign_id)).toEqual(['skipped'])
  })

  test('counts what was committed before the claim, up to its last moment, and nothing after it', async () => {
    const { outbox, campaign_id } = await sent([both, { ...SECOND, condition: 'clicked' }], 2)
    const [first, second] = outbox
    if (!first || !second) throw new Error('two were to leave')
    await personal(first, 'click', minutes(DAY))
    await dispatchAt(minutes(DAY))
    await personal(second, 'click', minutes(DAY))
    await dispatchAt(minutes(2 * DAY))
    expect((await stepsDone(campaign_id)).toSorted()).toEqual(['sent', 'skipped'])
  })
})

test('the results count people in the funnel, with who was tracked and what machines did', async () => {
  const { owner, campaign_id, outbox } = await sent([{ ...LINKS, track_opens: true }, SECOND], 4)
  const [one, two, three] = outbox
  if (!one || !two || !three) throw new Error('four were to leave')
  await personal(one, 'open', minutes(60))
  await personal(one, 'open', minutes(61))
  await personal(two, 'click', minutes(60))
  await fetchImage(pixelIn(three), { agent: GMAIL })
  await fetchImage(pixelIn(one), { agent: GMAIL })
  await dispatchAt(minutes(DAY))

  const { body } = await call(ReadCampaignAnalytics, { as: owner, params: { campaign_id } })
  expect(body.leads).toMatchObject({ contacted: 4, opened: 2, clicked: 1 })
  expect(body.tracking).toEqual({
    opens: { tracked: 4, people: 2, machines_only: 1, hits: { human: 2, proxy: 2, scanner: 0 } },
    clicks: { tracked: 4, people: 1, machines_only: 0, hits: { human: 1, proxy: 0, scanner: 0 } },
  })
  expect(body.not_measured).toEqual([])
  expect(body.open_rate).toMatchObject({ numerator: 2, denominator: 4 })
  expect(body.click_rate).toMatchObject({ numerator: 1, denominator: 4 })
  expect(body.steps).toMatchObject([
    { step: 1, open_rate: { numerator: 2, denominator: 4 }, click_rate: { numerator: 1, denominator: 4 } },
    { step: 2, sent: 4, open_rate: null, click_rate: null },
  ])

  const leadOf = async (mail: OutgoingMail) =>
    (await db.action.findUniqueOrThrow({ where: { action_id: mail.message_id.slice(1, 37) } }))
      .campaign_lead_id
  const told = async (mail: OutgoingMail) => {
    const params = { campaign_id, campaign_lead_id: await leadOf(mail) }
    const { events } = (await call(ReadLeadTimeline, { as: owner, params })).body
    return events
      .filter(({ kind }) => kind === 'opened' || kind === 'clicked')
      .map(({ kind, step, detail }) => [kind, step, detail.class, detail.hits])
  }
  expect(await told(one)).toEqual([
    ['opened', 1, 'human', 2],
    ['opened', 1, 'proxy', 1],
  ])
  expect(await told(two)).toEqual([['clicked', 1, 'human', 1]])

  const path = ExportCampaignLeads.path.replace('{campaign_id}', campaign_id)
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const csv = await (await knock('GET', path, { headers: { authorization } })).text()
  const lines = csv.trimEnd().split('\r\n')
  expect(lines[0]).toContain('step_2_at,opened_at,clicked_at,first_name')
  expect(lines.filter((line) => line.includes('2026-03-02T11:00:00Z,2026-03-02T11:00:00Z'))).toHaveLength(1)
  expect(lines.filter((line) => line.includes('2026-03-02T11:00:00Z,,'))).toHaveLength(1)
})

test('the checks warn of what opens cost, tell where clicks lead, and block a condition that nothing can fulfil', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const check = async (steps_config: object[]) => {
    const { campaign_id } = await aCampaign(owner, { steps_config })
    const { body } = await call(ReadLaunchChecks, { as: owner, params: { campaign_id } })
    const codes = (list: { code: string; step: number | null }[]) =>
      list.filter(({ code }) => /condition|track/.test(code)).map(({ code, step }) => [code, step])
    return [codes(body.blocks), codes(body.warns), codes(body.informs)]
  }
  expect(
    await check([
      { ...WATCHED, track_clicks: true },
      { ...SECOND, condition: 'opened' },
    ]),
  ).toEqual([
    [],
    [
      ['step_has_condition', 2],
      ['opens_tracked', 1],
    ],
    [['clicks_tracked', 1]],
  ])
  const [blocks] = await check([FIRST, { ...SECOND, condition: 'opened' }])
  expect(blocks).toEqual([['condition_never_holds', 2]])
  const [, warns] = await check([FIRST, { ...SECOND, condition: 'not_clicked' }])
  expect(warns).toContainEqual(['condition_always_holds', 2])
})
