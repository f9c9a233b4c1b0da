import { afterAll, beforeEach, expect, test } from 'vitest'
import { ReadPerson } from '#lib/contracts/leads/people'
import { db } from '#lib/db/client'
import { addEntry, confirmEntry, readConfirmation } from '#lib/services/leads/forms/confirmation'
import { eraseUnconfirmed } from '#lib/services/leads/forms/confirmation-round'
import { openForm, submitForm } from '#lib/services/leads/forms/submit'
import { closeMailProvider } from '#lib/services/senders/mail-provider'
import { call } from '#tests/support/call'
import { aForm, aFormOver, linkIn, loadEntries, offerAt, SITE, somePlace } from '#tests/support/forms'
import { aUser } from '#tests/support/scenes/factories'
import { FAILING } from '#tests/support/scenes/failing'
import { launchedFor, MONDAY } from '#tests/support/scenes/launched'

process.env.ALLOW_PRIVATE_HOSTS = 'true'
afterAll(() => closeMailProvider())

const hours = (count: number) => new Date(MONDAY.getTime() + count * 3_600_000)
const WORKING = {
  status: 'connected',
  failing_cause: null,
  failing_since: null,
  failing_tries: 0,
  next_try_at: null,
} as const
const UNSIGNED = { id: null, timestamp: null, signatures: null, body: null }

let owner: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  await db.formEntry.deleteMany()
  owner = await aUser()
})

type Given = Awaited<ReturnType<typeof aForm>>
async function sendIn({ form }: Pick<Given, 'form'>, fields: Record<string, unknown>, now = MONDAY) {
  const place = somePlace()
  const opened = await openForm(form.token, place, now)
  await submitForm(opened, { origin: SITE, place, signature: UNSIGNED, fields }, now)
}
const lastLink = ({ sink }: Given) => linkIn(sink.messages.at(-1)?.raw)

test('one email with one link; only who opens it and presses the button becomes a row, once', async () => {
  const given = await aForm(owner)
  const { sink, dataset_id, form } = given
  await sendIn(given, { email: 'ada@example.com', first: 'Ada <b>Lovelace</b>' })
  expect(await offerAt(MONDAY)).toBe(1)
  expect(await offerAt(hours(1))).toBe(0)
  expect(sink.messages).toHaveLength(1)
  const raw = sink.messages[0]?.raw ?? ''
  expect(raw).toContain('Auto-Submitted: auto-generated')
  expect(raw).toContain('You asked for our newsletter.')
  expect(raw).not.toContain('Lovelace')
  const link = lastLink(given)
  expect(await readConfirmation(link, hours(1))).toMatchObject({ is_confirmed: false })
  expect(await db.datasetRow.count({ where: { dataset_id, email: 'ada@example.com' } })).toBe(0)
  expect(await confirmEntry(link, '203.0.113.9', hours(2))).toBe(true)
  expect(await confirmEntry(link, '203.0.113.10', hours(3))).toBe(true)
  const rows = await db.datasetRow.findMany({ where: { dataset_id, email: 'ada@example.com' } })
  expect(rows).toMatchObject([{ data: { email: 'ada@example.com', first_name: 'Ada <b>Lovelace</b>' } }])
  expect(await loadEntries(form.form_id)).toMatchObject([
    { outcome: 'added', confirmed_at: hours(2), confirmed_network: '203.0.113.0/24', add_due_at: null },
  ])
  expect(await readConfirmation(link, hours(9_000))).toMatchObject({ is_confirmed: true })
})

test('the evidence stands with the person, also once the form is gone', async () => {
  const given = await aForm(owner)
  await sendIn(given, { email: 'ada@example.com' })
  await offerAt(MONDAY)
  await confirmEntry(lastLink(given), '203.0.113.9', hours(2))
  await db.form.delete({ where: { form_id: given.form.form_id } })
  const { workspace_id } = owner
  const { person_id } = await db.person.findFirstOrThrow({
    where: { workspace_id, email: 'ada@example.com' },
  })
  const { body } = await call(ReadPerson, { as: owner, params: { person_id } })
  expect(body.consents).toMatchObject([
    {
      form_id: null,
      form_name: 'Newsletter',
      consent_text: 'Send me the newsletter of Northwind.',
      origin: SITE,
      given_at: MONDAY.toISOString(),
      confirmed_at: hours(2).toISOString(),
      confirmed_network: '203.0.113.0/24',
    },
  ])
})

test('the row has the address that was confirmed, also where another field names its column', async () => {
  const sink = await aForm(owner)
  const { dataset_id, mailbox_id } = sink
  const columns = [
    { name: 'Mail', key: 'email' },
    { name: 'First name', key: 'first_name' },
  ]
  await db.dataset.update({ where: { dataset_id }, data: { columns } })
  const { form } = await aFormOver(owner, dataset_id, {
    mailbox_id,
    fields: [
      { name: 'email', column: 'email', required: true },
      { name: 'other', column: 'Mail' },
    ],
  })
  await sendIn({ form }, { email: 'ada@example.com', other: 'eve@example.com' })
  await offerAt(MONDAY)
  await confirmEntry(lastLink(sink), 'here', hours(1))
  const row = { dataset_id, lead_index: 3 }
  expect(await db.datasetRow.findFirstOrThrow({ where: row })).toMatchObject({ email: 'ada@example.com' })
})

test('whom the list has is updated, and a confirmed address may send the form again', async () => {
  const given = await aForm(owner)
  const { dataset_id } = given
  const row = await db.datasetRow.findFirstOrThrow({ where: { dataset_id, lead_index: 1 } })
  await sendIn(given, { email: row.email, first: 'Renamed' })
  await offerAt(MONDAY)
  await confirmEntry(lastLink(given), 'here', hours(1))
  const changed = await db.datasetRow.findFirstOrThrow({ where: { dataset_id, lead_index: 1 } })
  expect(changed.data).toMatchObject({ first_name: 'Renamed', company: 'Company 1' })
  await sendIn(given, { email: row.email, first: 'Again' }, hours(2))
  expect(await offerAt(hours(2))).toBe(0)
  expect(await offerAt(hours(24))).toBe(1)
})

test('where the form names a campaign that runs, they become its lead', async () => {
  const over = await aForm(owner)
  const { campaign_id, dataset_id } = await launchedFor(owner)
  const { form } = await aFormOver(owner, dataset_id, { campaign_id, mailbox_id: over.mailbox_id })
  await sendIn({ form }, { email: 'ada@example.com' })
  await offerAt(MONDAY)
  await confirmEntry(lastLink(over), 'here', hours(1))
  expect(await loadEntries(form.form_id)).toMatchObject([{ outcome: 'added' }])
  expect(await db.campaignLead.count({ where: { campaign_id, email: 'ada@example.com' } })).toBe(1)
})

test('an address gets one email a day, whatever forms ask, and a suppressed one none', async () => {
  const given = await aForm(owner)
  const { sink, mailbox_id, dataset_id } = given
  const second = await aFormOver(owner, dataset_id, { mailbox_id, name: 'Second' })
  const { workspace_id } = owner
  await db.suppression.create({ data: { workspace_id, value: '@gone.example', reason: 'manual' } })
  await sendIn(given, { email: 'ada@example.com' })
  await sendIn(second, { email: 'ada@example.com' })
  await sendIn(second, { email: 'eve@gone.example' })
  expect(await offerAt(MONDAY)).toBe(1)
  for (const hour of [1, 5, 23]) expect(await offerAt(hours(hour))).toBe(0)
  expect(await offerAt(hours(24))).toBe(1)
  expect(sink.messages.flatMap(({ to }) => to)).not.toContain('eve@gone.example')
})

test('sending the form again after a day brings a new link, and the old one no longer works', async () => {
  const given = await aForm(owner)
  await sendIn(given, { email: 'ada@example.com', first: 'Old' })
  await offerAt(MONDAY)
  const old = lastLink(given)
  await sendIn(given, { email: 'ada@example.com', first: 'New' }, hours(25))
  expect(await readConfirmation(old, hours(25))).toBeNull()
  expect(await offerAt(hours(25))).toBe(1)
  expect(await confirmEntry(old, 'here', hours(26))).toBe(false)
  expect(await confirmEntry(lastLink(given), 'here', hours(26))).toBe(true)
  expect(await loadEntries(given.form.form_id)).toMatchObject([{ cells: { first_name: 'New' } }])
})

test('so many emails of one form leave in a day; the rest wait', async () => {
  const given = await aForm(owner, { mails_per_day: 2 })
  for (const name of ['a', 'b', 'c']) await sendIn(given, { email: `${name}@example.com` })
  expect(await offerAt(MONDAY)).toBe(2)
  expect(await offerAt(hours(12))).toBe(0)
  expect(await offerAt(hours(24))).toBe(1)
})

test('what is not confirmed in time is erased, and its link leads nowhere; what was confirmed stays', async () => {
  const given = await aForm(owner, { keep_days: 2 })
  await sendIn(given, { email: 'ada@example.com' })
  await offerAt(MONDAY)
  const link = lastLink(given)
  expect(await confirmEntry(link, 'here', hours(48))).toBe(false)
  await sendIn(given, { email: 'eve@example.com' })
  await offerAt(hours(1))
  await confirmEntry(lastLink(given), 'here', hours(2))
  expect(await eraseUnconfirmed(hours(47))).toEqual({ erased: 0 })
  expect(await eraseUnconfirmed(hours(48))).toEqual({ erased: 1 })
  expect(await loadEntries(given.form.form_id)).toMatchObject([{ email: 'eve@example.com' }])
})

test('where nothing left it is tried again, with a link that works', async () => {
  const given = await aForm(owner)
  const { mailbox_id, sink } = given
  await db.mailbox.update({ where: { mailbox_id }, data: FAILING })
  await sendIn(given, { email: 'ada@example.com' })
  await offerAt(MONDAY)
  expect(await loadEntries(given.form.form_id)).toMatchObject([
    { mailed_at: null, mail_error: 'The mailbox cannot send.' },
  ])
  await db.mailbox.update({ where: { mailbox_id }, data: WORKING })
  await offerAt(hours(1))
  expect(sink.messages).toHaveLength(1)
  expect(await confirmEntry(lastLink(given), 'here', hours(2))).toBe(true)
})

test('a form without a mailbox waits for one', async () => {
  const given = await aForm(owner)
  const { form_id } = given.form
  await db.form.update({ where: { form_id }, data: { mailbox_id: null } })
  await sendIn(given, { email: 'ada@example.com' })
  expect(await offerAt(MONDAY)).toBe(0)
  await db.form.update({ where: { form_id }, data: { mailbox_id: given.mailbox_id } })
  expect(await offerAt(hours(1))).toBe(1)
})

test('a dataset that is busy gets the row once it is free', async () => {
  const given = await aForm(owner)
  const { dataset_id } = given
  const { workspace_id } = owner
  const busy = { workspace_id, dataset_id, work: 'enrichment', status: 'processing' } as const
  const { session_id } = await db.datasetSession.create({ data: busy })
  await sendIn(given, { email: 'ada@example.com' })
  await offerAt(MONDAY)
  expect(await confirmEntry(lastLink(given), 'here', hours(1))).toBe(true)
  const [entry] = await loadEntries(given.form.form_id)
  expect(entry).toMatchObject({ confirmed_at: hours(1), outcome: null })
  expect(entry?.add_due_at?.getTime()).toBeGreaterThan(hours(1).getTime())
  await db.datasetSession.update({ where: { session_id }, data: { status: 'completed' } })
  await Promise.all([1, 2].map(() => addEntry(entry?.form_entry_id ?? '', hours(2))))
  expect(await db.datasetRow.count({ where: { dataset_id, email: 'ada@example.com' } })).toBe(1)
  expect(await loadEntries(given.form.form_id)).toMatchObject([{ outcome: 'added', add_due_at: null }])
})
