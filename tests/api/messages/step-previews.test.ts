import { afterEach, expect, test } from 'vitest'
import { DuplicateCampaign } from '#lib/contracts/campaigns/campaigns'
import { LaunchCampaign } from '#lib/contracts/campaigns/lifecycle'
import { PreviewStep, SendTest } from '#lib/contracts/campaigns/step-previews'
import { db } from '#lib/db/client'
import { composeMail } from '#lib/providers/mail/compose'
import { readUnsubscribe } from '#lib/services/leads/unsubscribes'
import { previewDraft, sendTest } from '#lib/services/step-previews/step-previews'
import { call } from '#tests/support/call'
import { memoryMail } from '#tests/support/doubles/memory-mail'
import { aCampaign, aDataset, aMailbox, aTemplate, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, FIRST, launched, MONDAY, minutes, SECOND } from '#tests/support/scenes/launched'
import { asMail, previewMail } from '#tests/support/scenes/previews'

// Tests share a database: none may leave work behind that another would find due.
afterEach(async () => {
  await db.campaign.deleteMany()
})

const uuids = /[0-9a-f]{8}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{4}-?[0-9a-f]{12}/g
/** Quoted-printable may break lines anywhere, so the text is compared without line breaks, ids and tokens. */
const anonymous = (text: string) =>
  text
    .replace(/=\r\n/g, '')
    .replace(/unsubscribe(\/|%20)[\w.=-]+/g, 'unsubscribe$1TOKEN')
    .replace(uuids, 'ID')

test('the preview is the message that leaves, but for the ids of an action that is not there yet', async () => {
  const { owner, campaign_id } = await launched({}, 2)
  const preview = await previewMail(owner.workspace_id, campaign_id, { step: 1, lead_index: 1 }, MONDAY)
  const { outbox } = await dispatchAt(MONDAY)
  const sent = outbox.find((mail) => mail.subject === preview.subject)
  if (!sent) throw new Error('it was not sent')
  expect(anonymous(preview.text)).toBe(anonymous(sent.text))
  expect(anonymous(preview.html)).toBe(anonymous(sent.html))
  expect(preview.headers.map(({ name }) => name)).toEqual(
    composeMail(sent)
      .toString()
      .split('\r\n\r\n')[0]
      ?.replace(/\r\n[ \t]+/g, ' ')
      .split('\r\n')
      .map((line) => line.split(':')[0]),
  )
  // Once the mail is in the ledger, its exact bytes are shown.
  const after = await previewMail(owner.workspace_id, campaign_id, { step: 1, lead_index: 1 }, MONDAY)
  expect(after.raw).toBe(composeMail(sent).toString('latin1'))
})

test('a follow-up is previewed in the thread that it will be in, sent or not', async () => {
  const { owner, campaign_id } = await launched({}, 1)
  const which = { step: 2, lead_index: 0 }
  const before = await previewMail(owner.workspace_id, campaign_id, which, MONDAY)
  expect(before.subject).toBe('Re: Hello Lead0')
  const inReplyTo = before.headers.find(({ name }) => name === 'In-Reply-To')?.value
  expect(inReplyTo).toMatch(/^<00000000-.*@example.org>$/)
  await dispatchAt(MONDAY)
  const threaded = await previewMail(owner.workspace_id, campaign_id, which, minutes(24 * 60))
  const { outbox } = await dispatchAt(minutes(24 * 60))
  expect(threaded.headers.find(({ name }) => name === 'In-Reply-To')?.value).toBe(outbox[0]?.in_reply_to)
  const after = await previewMail(owner.workspace_id, campaign_id, which, minutes(24 * 60))
  expect(after.subject).toBe(outbox[0]?.subject)
})

test('nothing is stored, and a draft without a mailbox is shown as from its owner', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner, { steps_config: [FIRST] })
  const body = { step: 1, lead_index: 2 }
  const { status, body: preview } = await call(PreviewStep, { as: owner, params: campaign, body })
  expect(status).toBe(200)
  expect(preview).toMatchObject({ from: owner.email, subject: 'Hello Lead2', variant: null })
  expect(asMail(preview).raw).toContain('\r\nSubject: Hello Lead2\r\n')
  expect(asMail(preview).raw).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
  expect(await db.action.count({ where: { campaign_id: campaign.campaign_id } })).toBe(0)
  expect(await db.campaignLead.count({ where: { campaign_id: campaign.campaign_id } })).toBe(0)
})

test('a variant may be named; else it is the one that the lead gets', async () => {
  const owner = await aUser()
  const [a, b] = [await aTemplate(owner, { subject: 'A' }), await aTemplate(owner, { subject: 'B' })]
  const variants = [
    { label: 'A', weight: 1, template_id: a.template_id },
    { label: 'B', weight: 0, template_id: b.template_id },
  ]
  const campaign = await aCampaign(owner, { steps_config: [{ variants }] })
  const preview = async (more: object) =>
    await call(PreviewStep, { as: owner, params: campaign, body: { step: 1, lead_index: 0, ...more } })
  expect((await preview({})).body).toMatchObject({ subject: 'A', variant: 'A' })
  expect((await preview({ variant: 'B' })).body).toMatchObject({ subject: 'B', variant: 'B' })
  expect((await preview({ variant: 'C' })).status).toBe(422)
  expect((await preview({ step: 2 })).error.details[0].loc).toEqual(['body', 'step'])
})

test('where no message can be made it says why, and a row that is not there is 404', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [
    { email: 'a@example.com', first_name: 'Ada', company: null },
    { email: null, first_name: 'Nobody', company: 'N' },
  ])
  const campaign = await aCampaign(owner, { dataset_id, steps_config: [FIRST] })
  const preview = (lead_index: number, as = owner) =>
    call(PreviewStep, { as, params: campaign, body: { step: 1, lead_index } })
  expect(await preview(0)).toMatchObject({
    status: 409,
    error: { detail: 'message_impossible', message: expect.stringContaining('company') },
  })
  expect((await preview(1)).error.message).toBe('This row has no address.')
  expect((await preview(5)).error.detail).toBe('lead_not_found')
  expect((await preview(0, await aUser())).error.detail).toBe('campaign_not_found')
})

test('a test message goes to the address given, outside ledger and limits, with a link that leads nowhere', async () => {
  const owner = await aUser()
  const mailbox = await aMailbox(owner)
  const campaign = await aCampaign(owner, { steps_config: [FIRST, SECOND] })
  const mail = memoryMail()
  const body = { step: 2, lead_index: 1, to: 'Me@example.net' }
  const answer = await sendTest(owner.workspace_id, campaign.campaign_id, body, MONDAY, mail.provider)
  const [message] = mail.outbox
  expect(answer).toEqual({
    sent: true,
    outcome: 'accepted',
    response: '250 OK',
    message_id: message?.message_id,
    from: mailbox.address,
    to: 'Me@example.net',
  })
  expect(message).toMatchObject({ to: { address: 'Me@example.net' }, subject: 'Re: Hello Lead1' })
  const token = message?.text.match(/unsubscribe\/([\w.-]+)/)?.[1]
  expect(token).toBeTruthy()
  expect(await readUnsubscribe(token ?? '')).toBeNull()
  expect(await db.action.count({ where: { campaign_id: campaign.campaign_id } })).toBe(0)
  expect(await db.senderDay.count({ where: { sender_id: mailbox.mailbox_id } })).toBe(0)
  expect(
    (await db.mailbox.findUnique({ where: { mailbox_id: mailbox.mailbox_id } }))?.last_action_at,
  ).toBeNull()
  const again = await sendTest(owner.workspace_id, campaign.campaign_id, body, MONDAY, mail.provider)
  expect(again.message_id).not.toBe(answer.message_id)
})

test('a test is not sent to a suppressed address, nor without a mailbox, nor from another’s; a refusal is told', async () => {
  const owner = await aUser()
  const campaign = await aCampaign(owner, { steps_config: [FIRST] })
  const send = (more: object = {}) =>
    call(SendTest, { as: owner, params: campaign, body: { step: 1, to: 'me@example.net', ...more } })
  expect((await send()).error.detail).toBe('no_sender')
  const stranger = await aUser()
  const { mailbox_id } = await aMailbox(stranger)
  expect((await send({ mailbox_id })).error.detail).toBe('mailbox_not_found')
  await aMailbox(owner)
  expect((await send({ to: 'no address' })).status).toBe(422)
  await db.suppression.create({
    data: { workspace_id: owner.workspace_id, value: '@example.net', reason: 'manual' },
  })
  expect((await send()).error.detail).toBe('address_suppressed')
  const refusing = memoryMail(() => ({ outcome: 'never_left', reason: 'connect', error: 'ECONNREFUSED' }))
  const body = { step: 1, lead_index: 0, to: 'me@example.com' }
  expect(
    await sendTest(owner.workspace_id, campaign.campaign_id, body, MONDAY, refusing.provider),
  ).toMatchObject({
    sent: false,
    outcome: 'never_left',
    response: 'ECONNREFUSED',
  })
})

test('a duplicate is a draft with the same settings and nothing of the history', async () => {
  const { owner, mailbox, campaign_id, dataset_id } = await launched({ name: 'Spring', daily_limit: 77 })
  await db.campaign.update({ where: { campaign_id }, data: { alias_ids: [mailbox.mailbox_id] } })
  await dispatchAt(MONDAY)
  const { status, body } = await call(DuplicateCampaign, { as: owner, params: { campaign_id } })
  expect(status).toBe(201)
  const old = await db.campaign.findUniqueOrThrow({ where: { campaign_id } })
  expect(body).toMatchObject({
    name: 'Copy of Spring',
    status: 'draft',
    dataset_id,
    daily_limit: 77,
    steps_config: old.steps_config,
    alias_ids: [mailbox.mailbox_id],
    total_leads: null,
    sent_count: 0,
    launched_at: null,
    start_date: null,
  })
  expect(body.campaign_id).not.toBe(campaign_id)
  const named = await call(DuplicateCampaign, {
    as: owner,
    params: { campaign_id },
    body: { name: 'Autumn' },
  })
  expect(named.body.name).toBe('Autumn')
  expect((await call(LaunchCampaign, { as: owner, params: body })).status).toBe(202)
  expect((await call(DuplicateCampaign, { as: await aUser(), params: { campaign_id } })).status).toBe(404)
})

test('steps that are still being written preview as they would once saved, and nothing is saved', async () => {
  const owner = await aUser()
  await aMailbox(owner)
  const steps_config = [{ subject: 'Hello {{ first_name }}', message_template: 'Saved.' }]
  const { campaign_id, steps_config: saved } = await aCampaign(owner, { steps_config })
  const which = { step: 1, lead_index: 0 }
  const draft = saved.map((step) => ({ ...step, message_template: 'Being written, {{ first_name }}.' }))

  const { message, to } = await previewDraft(owner.workspace_id, campaign_id, draft, which, MONDAY)
  expect(message?.text).toContain('Being written, Lead0.')
  const before = await previewMail(owner.workspace_id, campaign_id, which, MONDAY)
  expect(before.text).toContain('Saved.')
  expect(to).toBe(before.to)

  await db.campaign.update({ where: { campaign_id }, data: { steps_config: draft } })
  const after = await previewMail(owner.workspace_id, campaign_id, which, MONDAY)
  expect(message).toEqual({ subject: after.subject, text: after.text })

  const impossible = draft.map((step) => ({ ...step, message_template: '{{ nothing }}' }))
  expect(await previewDraft(owner.workspace_id, campaign_id, impossible, which, MONDAY)).toMatchObject({
    message: null,
    problem: expect.stringContaining('nothing'),
  })
})

test('a preview says what filters may hold against the mail as it is delivered, its own footer aside', async () => {
  const owner = await aUser()
  const { mailbox_id } = await aMailbox(owner)
  const signature = '<p>See <a href="https://bit.ly/me">me</a></p>'
  await db.mailbox.update({ where: { mailbox_id }, data: { signature } })
  const { dataset_id } = await aDataset(owner, [{ email: 'a@example.com', first_name: '[Name]' }])
  const { campaign_id } = await aCampaign(owner, {
    dataset_id,
    steps_config: [
      {
        subject: 'Hello',
        message_template: 'Dear {{ first_name }}, https://a.example/x',
        track_clicks: true,
      },
      { delay_days: 1, subject: 'Re: Hello', message_template: 'And?', track_opens: true },
    ],
  })
  const content = async (step: number) =>
    (await previewMail(owner.workspace_id, campaign_id, { step, lead_index: 0 }, MONDAY)).content.map(
      ({ code, words }) => [code, words],
    )
  // The content check names tracked links; the shortened one in the signature is rewritten too.
  expect(await content(1)).toEqual([
    ['link_shows_other_host', [expect.stringMatching(/^https:\/\/a\.example\/x → /)]],
    ['field_left_over', ['[Name]']],
  ])
  // A follow-up in the thread: its "Re:" and its image are not reported as they are in a first mail.
  expect(await content(2)).toEqual([['link_shortened', ['bit.ly']]])
})
