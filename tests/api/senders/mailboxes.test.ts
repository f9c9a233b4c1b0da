import { afterAll, expect, test } from 'vitest'
import {
  CreateMailbox,
  DeleteMailbox,
  ListMailboxes,
  ReadMailbox,
  TestMailbox,
  UpdateMailbox,
} from '#lib/contracts/senders/mailboxes'
import { db } from '#lib/db/client'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { getMailbox, updateMailbox } from '#lib/services/senders/mailboxes'
import { call } from '#tests/support/call'
import { aCampaign, aMailbox, anEnrolledLead, aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { dispatchAt, FIRST, launched, MONDAY, minutes } from '#tests/support/scenes/launched'
import { createSmtpSink } from '#tests/support/servers/smtp'

const PASSWORD = 'correct horse battery'
const sink = await createSmtpSink()
// The sandbox's endpoint is the only private address that may be reached.
process.env.SANDBOX_SMTP_PORT = String(sink.port)
afterAll(async () => {
  await closeMailProvider()
  await sink.close()
})

let made = 0
const settings = (fields: object = {}) => ({
  address: `Ada+${++made}@Example.org`,
  smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: 'ada', password: PASSWORD },
  ...fields,
})

async function connected(owner: { workspace_id: string; user_id: string }, fields: object = {}) {
  return (await call(CreateMailbox, { as: owner, body: settings(fields) })).body
}

test.each(['name', 'signature'])('422 for a %s of white space', async (field) => {
  const { status, error } = await call(CreateMailbox, {
    as: await aUser(),
    body: settings({ [field]: ' \n' }),
  })
  expect([status, error.details[0]?.loc]).toEqual([422, ['body', field]])
})

test('201 with every default, the address in lower case', async () => {
  const owner = await aUser({ timezone: 'Asia/Tokyo' })
  const { status, body } = await call(CreateMailbox, { as: owner, body: settings() })
  expect(status).toBe(201)
  expect(body).toEqual({
    mailbox_id: expect.any(String),
    address: `ada+${made}@example.org`,
    name: null,
    status: 'connected',
    smtp: { host: '127.0.0.1', port: sink.port, security: 'none', username: 'ada' },
    imap: null,
    oauth: null,
    limits: {
      daily_limit: 50,
      min_interval_seconds: 60,
      ramp_up: null,
      ramp_health: null,
      today: 50,
      used_today: 0,
      used_by: [],
      timezone: 'Asia/Tokyo',
      resets_at: expect.stringMatching(/T15:00:00\.000Z$/),
    },
    signature: null,
    last_error: null,
    failing_cause: null,
    failing_since: null,
    next_try_at: null,
    last_checked_at: null,
    inbox_polled_at: null,
    inbox_error: null,
    inbox_failing_since: null,
    reply_to: null,
    send_as: null,
    aliases: [],
    aliases_read_at: null,
    aliases_error: null,
    save_sent: true,
    sent_folder: null,
    sent_error: null,
    sent_polled_at: null,
    version: 1,
    created_at: expect.any(String),
    updated_at: expect.any(String),
  })
  expect((await call(ReadMailbox, { as: owner, params: body })).body).toEqual(body)
})

test('409 for an address that is connected already, but not for another owner', async () => {
  const owner = await aUser()
  const { address } = await connected(owner)
  const again = await call(CreateMailbox, { as: owner, body: settings({ address: address.toUpperCase() }) })
  expect(again.status).toBe(409)
  expect(again.error).toEqual({
    detail: 'mailbox_exists',
    message: 'This address is already connected.',
  })
  expect((await call(CreateMailbox, { as: await aUser(), body: settings({ address }) })).status).toBe(201)
})

test('PATCH changes only what is given, and a new server connects again', async () => {
  const owner = await aUser()
  const before = await connected(owner, { name: 'Ada', daily_limit: 20 })
  await db.mailbox.update({
    where: { mailbox_id: before.mailbox_id },
    data: { ...FAILING, last_error: 'no' },
  })
  const named = await call(UpdateMailbox, { as: owner, params: before, body: { name: 'Ada L.' } })
  expect(named.body).toMatchObject({ name: 'Ada L.', status: 'failing', last_error: 'no' })
  const smtp = { ...before.smtp, password: 'new' }
  const { body } = await call(UpdateMailbox, { as: owner, params: before, body: { smtp } })
  expect(body).toMatchObject({ ...before, name: 'Ada L.', version: 3, updated_at: expect.any(String) })
})

test('a ramp begins on the day it is set, and today counts by the owner’s date', async () => {
  const owner = await aUser({ timezone: 'America/New_York' })
  const { mailbox_id } = await aMailbox(owner, { daily_limit: 30 })
  const at = (time: string) => new Date(`2026-03-${time}:00.000Z`)
  const limits = async (time: string) => (await getMailbox(owner.workspace_id, mailbox_id, at(time))).limits
  await updateMailbox(
    owner.workspace_id,
    mailbox_id,
    { ramp_up: { start: 5, increase_per_day: 10, by_health: false } },
    at('03T02:00'),
  )
  await db.senderDay.createMany({
    data: [
      { sender_id: mailbox_id, local_date: at('02T00:00'), action_type: 'email', used: 3 },
      { sender_id: mailbox_id, local_date: at('02T00:00'), action_type: 'message', used: 1 },
    ],
  })
  expect(await limits('03T02:00')).toMatchObject({ today: 5, used_today: 4, resets_at: at('03T05:00') })
  expect(await limits('03T05:00')).toMatchObject({ today: 15, used_today: 0, resets_at: at('04T05:00') })
  expect(await limits('09T12:00')).toMatchObject({ today: 30, used_today: 0 })
  // A change in the middle of a ramp continues from its current limit.
  await updateMailbox(
    owner.workspace_id,
    mailbox_id,
    { ramp_up: { start: 5, increase_per_day: 1, by_health: false } },
    at('04T12:00'),
  )
  expect(await limits('04T12:00')).toMatchObject({ today: 7 })
})

const USES = [
  'draft',
  'scheduled',
  'launching',
  'active',
  'draining',
  'paused',
  'completed',
  'failed',
] as const

test.each(USES)('DELETE while a %s campaign names it', async (status) => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  await aMailbox(owner)
  const { campaign_id, name } = await aCampaign(owner, { alias_ids: [mailbox.mailbox_id] })
  const paused_from = status === 'paused' ? 'active' : null
  await db.campaign.update({ where: { campaign_id }, data: { status, paused_from } })
  const answer = await call(DeleteMailbox, { as: owner, params: mailbox })
  // A campaign that failed to launch keeps its mailboxes, and could never be launched again without them.
  const isFree = status === 'draft' || status === 'completed'
  expect(answer.status).toBe(isFree ? 204 : 409)
  if (!isFree)
    expect(answer.error).toEqual({ detail: 'mailbox_in_use', message: expect.stringContaining(name) })
  expect(await db.mailbox.count({ where: { mailbox_id: mailbox.mailbox_id } })).toBe(isFree ? 0 : 1)
})

test('DELETE is refused while a lead waits for it, though no campaign names it', async () => {
  const owner = await aUser()
  const [mailbox] = [await aMailbox(owner), await aMailbox(owner)]
  const lead = await anEnrolledLead(owner, { mailbox_id: mailbox.mailbox_id })
  expect((await call(DeleteMailbox, { as: owner, params: mailbox })).status).toBe(409)
  await db.campaignLead.update({
    where: { campaign_lead_id: lead.campaign_lead_id },
    data: { status: 'completed', next_step: null, next_action_at: null },
  })
  expect((await call(DeleteMailbox, { as: owner, params: mailbox })).status).toBe(204)
  expect((await call(ReadMailbox, { as: owner, params: mailbox })).error.detail).toBe('mailbox_not_found')
})

test('DELETE is refused for the last mailbox of a campaign that takes any', async () => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const { campaign_id } = await aCampaign(owner)
  await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
  expect((await call(DeleteMailbox, { as: owner, params: mailbox })).status).toBe(409)
  await aMailbox(owner)
  expect((await call(DeleteMailbox, { as: owner, params: mailbox })).status).toBe(204)
})

test('404 for another owner’s mailbox, whatever is asked of it', async () => {
  const mailbox = await connected(await aUser())
  const stranger = await aUser()
  for (const contract of [ReadMailbox, UpdateMailbox, TestMailbox, DeleteMailbox]) {
    const body = contract === UpdateMailbox ? { name: 'Eve' } : undefined
    const { status, error } = await call(contract, { as: stranger, params: mailbox, body })
    expect([status, error.detail]).toEqual([404, 'mailbox_not_found'])
  }
  expect((await call(ListMailboxes, { as: stranger })).body).toEqual({
    items: [],
    total: 0,
    page: 1,
    page_size: 20,
  })
})

test('a mailbox names the campaigns that used it today, and no other day or owner', async () => {
  const { owner, mailbox, campaign_id } = await launched({ name: 'Spring', steps_config: [FIRST] }, 3)
  await launched({}, 2)
  await dispatchAt(MONDAY)
  const usedBy = async (at: Date) => (await getMailbox(owner.workspace_id, mailbox.mailbox_id, at)).limits
  expect(await usedBy(minutes(5))).toMatchObject({
    used_today: 3,
    used_by: [{ campaign_id, campaign_name: 'Spring', action_type: 'email', used: 3 }],
  })
  expect(await usedBy(minutes(24 * 60))).toMatchObject({ used_today: 0, used_by: [] })
  await db.campaign.deleteMany({ where: { campaign_id } })
  expect(await usedBy(minutes(5))).toMatchObject({ used_today: 3, used_by: [] })
})

test('a signature that cannot be filled is refused by its field, and Reply-To is an address', async () => {
  const owner = await aUser()
  const body = { signature: '{{ sender.', reply_to: 'Team@Example.org' }
  const refused = await call(CreateMailbox, { as: owner, body: settings({ ...body }) })
  expect([refused.status, refused.error.details?.[0]?.loc]).toEqual([422, ['body', 'signature']])
  const made = await connected(owner, { reply_to: 'Team@Example.org', signature: '{{ sender.name }}' })
  expect(made).toMatchObject({ reply_to: 'team@example.org', signature: '{{ sender.name }}' })
})
