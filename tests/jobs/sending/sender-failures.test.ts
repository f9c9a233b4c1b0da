import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import type { MailOutcome } from '#lib/providers/mail/port'
import { blames } from '#lib/providers/mail/reply'
import { type SocialActionResult, type SocialOutcome, SocialReadError } from '#lib/providers/social/port'
import { readHome } from '#lib/services/campaigns/home'
import { explainCampaign } from '#lib/services/forecast/explanations'
import { dispatchDue } from '#lib/services/sending/run'
import { listNotifications } from '#lib/services/telling/notifications'
import { ACCEPTED, memoryMail } from '#tests/support/doubles/memory-mail'
import { memorySocial } from '#tests/support/doubles/memory-social'
import { aMailbox } from '#tests/support/scenes/factories'
import { takeSignIn } from '#tests/support/scenes/failing'
import { FIRST, launched, launchedFor, leadsOf, MONDAY, minutes } from '#tests/support/scenes/launched'
import { launchedSocial, VISIT } from '#tests/support/scenes/launched-social'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const DOWN: MailOutcome = { outcome: 'never_left', reason: 'connect', error: 'connect ECONNREFUSED' }
/** The current outcome for each sender address; absent: everything is accepted. */
let says: Record<string, MailOutcome>
let tries: { at: Date; from: string; to: string }[]
beforeEach(() => {
  says = {}
  tries = []
})

const social = memorySocial()
const dispatchAt = (at: Date) => {
  const { provider } = memoryMail((mail) => {
    tries.push({ at, from: mail.from.address, to: mail.to.address })
    return says[mail.from.address] ?? ACCEPTED
  })
  return dispatchDue({ mail: provider, social: social.drivers, clock: () => at })
}
const mailboxOf = (mailbox_id: string) => db.mailbox.findUniqueOrThrow({ where: { mailbox_id } })
const triesAt = (minute: number) => tries.filter(({ at }) => at.getTime() === minutes(minute).getTime())

describe('a mailbox whose server cannot be reached', () => {
  test('is tried once after 1, 2, 4 … 60 minutes, however many leads wait for it', async () => {
    const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 40)
    says[mailbox.address] = DOWN
    await dispatchAt(MONDAY)
    expect(await mailboxOf(mailbox.mailbox_id)).toMatchObject({
      status: 'failing',
      failing_cause: 'unreachable',
      last_error: 'connect ECONNREFUSED',
      failing_since: MONDAY,
      next_try_at: minutes(1),
    })
    tries = []
    for (let minute = 1; minute <= 250; minute++) await dispatchAt(minutes(minute))
    expect(tries.map(({ at }) => (at.getTime() - MONDAY.getTime()) / 60_000)).toEqual([
      1, 3, 7, 15, 31, 63, 123, 183, 243,
    ])
    expect(await db.action.count({ where: { campaign_id, attempts: { gt: 0 } } })).toBe(0)
    expect((await leadsOf(campaign_id)).every(({ status }) => ['pending', 'active'].includes(status))).toBe(
      true,
    )
    expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({
      status: 'active',
      sent_count: 0,
      next_slot_at: minutes(303),
    })
  })

  test('keeps its leads in their places, and sends to all of them once one try went well', async () => {
    const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 12)
    says[mailbox.address] = DOWN
    await dispatchAt(MONDAY)
    const places = (await leadsOf(campaign_id)).map((lead) => lead.email)
    says = {}
    tries = []
    await dispatchAt(minutes(1))
    expect(triesAt(1).map(({ to }) => to)).toEqual(places)
    expect(await mailboxOf(mailbox.mailbox_id)).toMatchObject({
      status: 'connected',
      last_error: null,
      failing_cause: null,
      next_try_at: null,
    })
    expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(Array(12).fill('completed'))
  })

  test('is noticed to work at once when its owner tests it', async () => {
    const { owner, campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 3)
    says[mailbox.address] = DOWN
    for (const minute of [0, 1, 3, 7, 15]) await dispatchAt(minutes(minute))
    says = {}
    tries = []
    await dispatchAt(minutes(20))
    expect(tries).toEqual([])
    await takeSignIn(owner.workspace_id, mailbox.mailbox_id, minutes(20))
    await dispatchAt(minutes(20))
    expect(tries).toHaveLength(3)
    expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({
      status: 'completed',
    })
  })

  test('holds back the leads that it has, while new ones leave from another', async () => {
    const follow = { delay_days: 1, message_template: 'Did you see it?' }
    const { owner, campaign_id, mailbox } = await launched(
      { steps_config: [FIRST, follow], daily_limit: 4 },
      30,
    )
    await dispatchAt(MONDAY)
    expect(tries).toHaveLength(4)
    const other = await aMailbox(owner, { daily_limit: 1_000 })
    says[mailbox.address] = DOWN
    await db.campaign.update({ where: { campaign_id }, data: { daily_limit: 100 } })
    for (const minute of [0, 1, 2]) await dispatchAt(minutes(24 * 60 + minute))
    const leads = await leadsOf(campaign_id)
    const of = (id: string) => leads.filter((lead) => lead.mailbox_id === id)
    expect(of(other.mailbox_id).length).toBeGreaterThan(15)
    expect(of(other.mailbox_id).every((lead) => lead.current_step === 1)).toBe(true)
    expect(of(mailbox.mailbox_id).every((lead) => lead.next_sender_id === mailbox.mailbox_id)).toBe(true)
    expect(
      of(mailbox.mailbox_id)
        .slice(0, 4)
        .map(({ current_step }) => current_step),
    ).toEqual([1, 1, 1, 1])
    expect(of(mailbox.mailbox_id).length + of(other.mailbox_id).length).toBe(30)
  })

  test('is tried by one campaign for all that send from it', async () => {
    const { owner, campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 3)
    const second = await launchedFor(owner, { steps_config: [FIRST] }, 3)
    says[mailbox.address] = DOWN
    await dispatchAt(MONDAY)
    tries = []
    await dispatchAt(minutes(1))
    await dispatchAt(minutes(2))
    expect(tries).toHaveLength(1)
    says = {}
    await dispatchAt(minutes(3))
    for (const id of [campaign_id, second.campaign_id])
      expect((await leadsOf(id)).map(({ status }) => status)).toEqual(Array(3).fill('completed'))
  })

  test('is the reason that the campaign gives, the overview shows and the bell rings for, once', async () => {
    const { owner, campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 3)
    says[mailbox.address] = DOWN
    for (const minute of [0, 1, 3]) await dispatchAt(minutes(minute))
    expect(await explainCampaign(owner.workspace_id, campaign_id, minutes(4))).toMatchObject({
      code: 'sender_failing',
      until: minutes(7),
      params: { sender_id: mailbox.mailbox_id, name: mailbox.address, cause: 'unreachable' },
      message: expect.stringContaining(`${mailbox.address} cannot send: its server cannot be reached.`),
    })
    const { problems } = await readHome(owner.workspace_id, minutes(4))
    expect(problems.failing).toMatchObject([{ mailbox_id: mailbox.mailbox_id }])
    const { items } = await listNotifications(owner, { page: 1, page_size: 20, unread: 'false' })
    expect(items).toMatchObject([
      {
        kind: 'mailbox_failing',
        mailbox_id: mailbox.mailbox_id,
        text: expect.stringContaining('ECONNREFUSED'),
      },
    ])
  })
})

test.each<[string, MailOutcome, string]>([
  ['a refused sign-in', { outcome: 'never_left', reason: 'auth', error: '535 bad password' }, 'sign_in'],
  [
    'a private address',
    { outcome: 'never_left', reason: 'blocked', error: '10.0.0.1 is private' },
    'blocked',
  ],
  [
    'a name that does not resolve',
    { outcome: 'never_left', reason: 'resolve', error: 'ENOTFOUND' },
    'unreachable',
  ],
  [
    'a sender that is refused before any recipient is named',
    {
      outcome: 'refused_for_good',
      blames: 'sender',
      stage: 'mail',
      code: 553,
      enhanced: null,
      response: '553 no',
    },
    'refused',
  ],
  [
    'too much for now',
    {
      outcome: 'refused_for_now',
      blames: 'sender',
      stage: 'mail',
      code: 421,
      enhanced: null,
      response: '421 slow',
    },
    'throttled',
  ],
])('%s is the mailbox’s, and pauses no campaign and fails no lead', async (_, outcome, cause) => {
  const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 2)
  says[mailbox.address] = outcome
  for (const minute of [0, 1, 3, 7, 15, 31, 63]) await dispatchAt(minutes(minute))
  expect(await mailboxOf(mailbox.mailbox_id)).toMatchObject({ status: 'failing', failing_cause: cause })
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['active', 'active'])
  expect(await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).toMatchObject({ status: 'active' })
  says = {}
  await dispatchAt(minutes(123))
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['completed', 'completed'])
})

const refusedAtEnd = (response: string): MailOutcome => {
  const [, code = '', enhanced = null] = /^(\d{3}) (\S+)/.exec(response) ?? []
  const refusal = { stage: 'body', code: Number(code), enhanced, response } as const
  return { outcome: 'refused_for_good', ...refusal, blames: blames('body', enhanced) }
}

test.each([
  ['Gmail', '550 5.4.5 Daily user sending limit exceeded'],
  ['Exchange', '554 5.2.0 STOREDRV.Submission.Exception:SubmissionQuotaExceededException; Failed to process'],
  [
    'Exchange, of recipients',
    '550 5.1.90 Your message can’t be sent because you’ve reached your daily limit',
  ],
  ['Exchange, of its organization', '550 5.7.233 Your message can’t be sent because your trial tenant has'],
])(
  'a limit of the day that %s says is used up: its mailbox waits a day, and no lead is lost',
  async (_, said) => {
    const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 2)
    says[mailbox.address] = refusedAtEnd(said)
    await dispatchAt(MONDAY)
    const day = minutes(24 * 60)
    expect(await mailboxOf(mailbox.mailbox_id)).toMatchObject({
      failing_cause: 'throttled',
      next_try_at: day,
    })
    expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['active', 'active'])
    expect(await db.suppression.count()).toBe(0)
    says = {}
    await dispatchAt(day)
    expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['completed', 'completed'])
  },
)

test('an address that the mailbox may not send from is the mailbox’s, whatever its code says', async () => {
  const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 2)
  says[mailbox.address] = refusedAtEnd('554 5.2.252 SendAsDenied; not allowed to send as that')
  await dispatchAt(MONDAY)
  expect(await mailboxOf(mailbox.mailbox_id)).toMatchObject({
    failing_cause: 'refused',
    next_try_at: minutes(1),
  })
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['active', 'active'])
})

test('what a server says of one message or recipient is the lead’s, and stops nobody else', async () => {
  const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 2)
  says[mailbox.address] = {
    outcome: 'refused_for_good',
    blames: 'sender',
    stage: 'rcpt',
    code: 550,
    enhanced: '5.7.1',
    response: '550 5.7.1 We take nothing from you',
  }
  await dispatchAt(MONDAY)
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual(['failed', 'failed'])
  expect(await mailboxOf(mailbox.mailbox_id)).toMatchObject({ status: 'connected' })
})

test('a connection that breaks at one message lets the others go first', async () => {
  const { campaign_id, mailbox } = await launched({ steps_config: [FIRST] }, 3)
  const [poison] = await leadsOf(campaign_id)
  const lost: MailOutcome = { outcome: 'never_left', reason: 'lost', error: 'Connection ended' }
  const provider = memoryMail((mail) => (mail.to.address === poison?.email ? lost : ACCEPTED)).provider
  for (const minute of [0, 1, 2, 3])
    await dispatchDue({ mail: provider, clock: () => minutes(minute), capacity: 1 })
  expect((await leadsOf(campaign_id)).map(({ status }) => status)).toEqual([
    'active',
    'completed',
    'completed',
  ])
  expect(mailbox.address).toBeTruthy()
})

test('an account whose network cannot be reached is tried in the same way', async () => {
  const { owner, campaign_id, account_id } = await launchedSocial({ steps_config: [VISIT] })
  social.failReading(new SocialReadError('unavailable', 'Down.'))
  await dispatchAt(MONDAY)
  const account = () => db.connectedAccount.findUniqueOrThrow({ where: { account_id } })
  expect(await account()).toMatchObject({
    status: 'failing',
    failing_cause: 'unreachable',
    status_reason: 'Down.',
    next_try_at: minutes(1),
  })
  expect(await explainCampaign(owner.workspace_id, campaign_id, minutes(0.5))).toMatchObject({
    code: 'sender_failing',
    params: { sender_id: account_id },
  })
  const { items } = await listNotifications(owner, { page: 1, page_size: 20, unread: 'false' })
  expect(items).toMatchObject([{ kind: 'account_failing' }])
  await dispatchAt(minutes(1))
  expect(await account()).toMatchObject({ failing_tries: 2, next_try_at: minutes(3) })
  social.failReading(null)
  await dispatchAt(minutes(3))
  expect(await account()).toMatchObject({ status: 'connected', status_reason: null })
  expect(await leadsOf(campaign_id)).toMatchObject([{ status: 'completed' }])
})

type Said = SocialOutcome<SocialActionResult>
test('a network that says too much for now, and not for how long, costs no lead its tries', async () => {
  const later: Said = {
    outcome: 'refused_for_now',
    blames: 'sender',
    retry_after_seconds: null,
    code: null,
    response: 'Slow down.',
  }
  const tired = memorySocial(() => later)
  const { campaign_id } = await launchedSocial({ steps_config: [VISIT] })
  for (const minute of [0, 1, 3, 7, 15, 31, 63])
    await dispatchDue({ mail: memoryMail().provider, social: tired.drivers, clock: () => minutes(minute) })
  expect(await leadsOf(campaign_id)).toMatchObject([{ status: 'active' }])
})
