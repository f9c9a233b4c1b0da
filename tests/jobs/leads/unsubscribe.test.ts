import { afterEach, expect, test } from 'vitest'
import { db, pool } from '#lib/db/client'
import type { OutgoingMail } from '#lib/providers/mail/port'
import { deleteCampaign } from '#lib/services/changes/deletion'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { launchCampaign } from '#lib/services/launch/lifecycle'
import { suppress } from '#lib/services/leads/endings'
import { readUnsubscribe } from '#lib/services/leads/unsubscribes'
import { dispatchDue } from '#lib/services/sending/run'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { POST } from '../../../app/(public)/unsubscribe/[token]/submit/route.ts'

const MONDAY = new Date('2026-03-02T10:00:00.000Z')
const day = (count: number) => new Date(MONDAY.getTime() + count * 86_400_000)
const STEPS = [
  { subject: 'Hello', message_template: 'A word.' },
  { delay_days: 1, message_template: 'Another.' },
]

afterEach(async () => {
  await db.campaign.deleteMany()
})

const dispatch = async (at: Date) => {
  const { provider, outbox } = memoryMail()
  await dispatchDue({ mail: provider, clock: () => at })
  return outbox
}

async function launch(owner: { workspace_id: string; user_id: string }, dataset_id: string) {
  const open = { sending_window_start: '00:00', sending_window_end: '00:00', min_interval_seconds: 0 }
  const { campaign_id } = await aCampaign(owner, { ...open, dataset_id, steps_config: STEPS })
  await launchCampaign(owner.workspace_id, campaign_id, null, MONDAY)
  await enrolLeads(campaign_id, MONDAY)
  await activateCampaign(campaign_id, MONDAY)
  return campaign_id
}

/** One lead in two campaigns of an owner, who has written to it once from the first. */
async function written(owner?: { workspace_id: string; user_id: string }) {
  const user = owner ?? (await aUser())
  const mailbox = await aMailbox(user)
  const { dataset_id } = await aDataset(user, [{ email: 'ada@example.com', first_name: 'Ada' }])
  const campaign_id = await launch(user, dataset_id)
  const [mail] = await dispatch(MONDAY)
  if (!mail) throw new Error('nothing left')
  return { owner: user, mailbox, dataset_id, campaign_id, mail, token: tokenIn(mail) }
}

/** The token as a mail client finds it: in the https address of List-Unsubscribe. */
function tokenIn(mail: OutgoingMail) {
  const url = /<(http[^>]+)>/.exec(mail.headers['List-Unsubscribe'] ?? '')?.[1] ?? ''
  expect(url).toMatch(/^http:\/\/opener\.test\/unsubscribe\/u1\./)
  expect(mail.headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click')
  return url.split('/').at(-1) ?? ''
}

const post = (token: string, fields: Record<string, string>, form?: FormData) =>
  POST(
    new Request(`http://opener.test/unsubscribe/${token}`, {
      method: 'POST',
      body: form ?? new URLSearchParams(fields),
    }),
    { params: Promise.resolve({ token }) },
  )
const oneClick = (token: string) => post(token, { 'List-Unsubscribe': 'One-Click' })
const listOf = ({ workspace_id }: { workspace_id: string; user_id: string }) =>
  db.suppression.findMany({ where: { workspace_id }, select: { value: true, reason: true } })
/** The events of the leads, in order. */
const eventsOf = ({ workspace_id }: { workspace_id: string; user_id: string }) =>
  db.campaignEvent.findMany({
    where: { workspace_id, campaign_lead_id: { not: null } },
    orderBy: { event_id: 'asc' },
  })

test('one click ends the lead in every campaign of the owner, at once and for good', async () => {
  const { owner, dataset_id, token, campaign_id } = await written()
  const second = await launch(owner, dataset_id)
  const response = await oneClick(token)
  expect([response.status, response.headers.get('location')]).toEqual([200, null])
  expect(response.headers.get('set-cookie')).toBeNull()
  expect(await listOf(owner)).toEqual([{ value: 'ada@example.com', reason: 'unsubscribe' }])
  const leads = await db.campaignLead.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(leads.map((lead) => lead.status)).toEqual(['unsubscribed', 'unsubscribed'])
  expect([...(await dispatch(day(1))), ...(await dispatch(day(30)))]).toEqual([])
  const campaigns = await db.campaign.findMany({ where: { campaign_id: { in: [campaign_id, second] } } })
  expect(campaigns.map((campaign) => campaign.status)).toEqual(['completed', 'completed'])

  const third = await launch(owner, dataset_id)
  expect(await dispatch(day(31))).toEqual([])
  expect(await db.campaignLead.findMany({ where: { campaign_id: third } })).toMatchObject([
    { status: 'skipped' },
  ])
})

test('multipart one click works too, and a second click is the first one', async () => {
  const { owner, token } = await written()
  const form = new FormData()
  form.set('List-Unsubscribe', 'One-Click')
  expect((await post(token, {}, form)).status).toBe(200)
  expect((await oneClick(token)).status).toBe(200)
  expect(await listOf(owner)).toHaveLength(1)
  const events = await eventsOf(owner)
  expect(events).toMatchObject([{ kind: 'unsubscribed', step: 1, detail: { via: 'one_click' } }])
})

test('another owner who writes to the same person is not meant', async () => {
  const one = await written()
  const other = await written()
  await oneClick(one.token)
  expect(await listOf(other.owner)).toEqual([])
  expect((await dispatch(day(1))).map((mail) => mail.from.address)).toEqual([other.mailbox.address])
})

test('looking changes nothing', async () => {
  const { owner, token, mailbox } = await written()
  const page = { email: 'ada@example.com', sender: mailbox.address }
  expect(await readUnsubscribe(token)).toMatchObject({ ...page, is_unsubscribed: false })
  expect(await listOf(owner)).toEqual([])
})

test('the page’s form keeps what the person says, and the same person may come back', async () => {
  const { owner, token, mail } = await written()
  const sent = await post(token, { intent: 'unsubscribe', comment: ' Too many\0 mails ' })
  expect([sent.status, sent.headers.get('location')]).toEqual([303, `/unsubscribe/${token}`])
  const after = { is_unsubscribed: true, may_resubscribe: true }
  expect(await readUnsubscribe(token)).toMatchObject(after)
  expect((await post(token, { intent: 'resubscribe' })).status).toBe(303)
  expect(await listOf(owner)).toEqual([])
  expect(await readUnsubscribe(token)).toMatchObject({ is_unsubscribed: false, email: mail.to.address })
  const events = await eventsOf(owner)
  expect(events).toMatchObject([
    { kind: 'unsubscribed', reason: 'Too many mails', detail: { via: 'page' } },
    { kind: 'resubscribed', detail: { via: 'page' } },
  ])
  // Resubscribing affects future campaigns only: ended leads stay ended.
  expect(await dispatch(day(2))).toEqual([])
})

test('coming back removes no entry but one’s own', async () => {
  const { owner, token } = await written()
  const entry = { workspace_id: owner.workspace_id, values: ['ada@example.com'], reason: 'hard_bounce' }
  await suppress(pool(), { ...entry, status: 'bounced' }, MONDAY)
  expect(await readUnsubscribe(token)).toMatchObject({ is_unsubscribed: true, may_resubscribe: false })
  await post(token, { intent: 'resubscribe' })
  expect(await listOf(owner)).toEqual([{ value: 'ada@example.com', reason: 'hard_bounce' }])
})

test('a link in an old mail works after its campaign was deleted', async () => {
  const { owner, token, campaign_id } = await written()
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  await deleteCampaign(owner.workspace_id, campaign_id)
  expect(await readUnsubscribe(token)).toMatchObject({ email: 'ada@example.com', is_unsubscribed: false })
  expect((await oneClick(token)).status).toBe(200)
  expect(await listOf(owner)).toEqual([{ value: 'ada@example.com', reason: 'unsubscribe' }])
})

test('a token that is not ours, down to one letter, leads nowhere', async () => {
  const { owner, token } = await written()
  const last = token.endsWith('A') ? 'B' : 'A'
  for (const wrong of ['u1.', 'x', `${token.slice(0, -1)}${last}`, `${token}A`]) {
    expect(await readUnsubscribe(wrong)).toBeNull()
    expect((await oneClick(wrong)).status).toBe(404)
  }
  expect(await listOf(owner)).toEqual([])
})

test.each([
  { name: 'a form that says nothing', body: new URLSearchParams({ a: 'b' }), status: 422 },
  { name: 'no form', body: '{}', status: 422 },
  { name: 'a flood', body: new URLSearchParams({ comment: 'x'.repeat(20_000) }), status: 400 },
])('$name unsubscribes nobody', async ({ body, status }) => {
  const { owner, token } = await written()
  const request = new Request(`http://opener.test/unsubscribe/${token}`, { method: 'POST', body })
  expect((await POST(request, { params: Promise.resolve({ token }) })).status).toBe(status)
  expect(await listOf(owner)).toEqual([])
})
