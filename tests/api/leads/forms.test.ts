import { Webhook } from 'standardwebhooks'
import { beforeEach, expect, test } from 'vitest'
import { CreateForm, DeleteForm, ListForms, MAX_FORM_BYTES, UpdateForm } from '#lib/contracts/leads/forms'
import { db } from '#lib/db/client'
import { HONEYPOT } from '#lib/domain/leads/form-fields'
import { answerForm, answerPreflight } from '#lib/http/api/form-post'
import { call } from '#tests/support/call'
import { aForm, aFormOver, loadEntries, post, SITE, somePlace } from '#tests/support/forms'
import { aCampaign, aDataset, aMailbox, aUser } from '#tests/support/scenes/factories'
import { aMember } from '#tests/support/scenes/team'

let owner: Awaited<ReturnType<typeof aUser>>
beforeEach(async () => {
  owner = await aUser()
})

const ADA = { email: 'Ada <ADA@Example.com>', first: 'Ada', other: 'passed over' }

test('a form has an address, is listed with its counts, changed and deleted', async () => {
  const { form, status, dataset_id } = await aForm(owner)
  expect(status).toBe(201)
  expect(form).toMatchObject({ signed: false, secret: null, keep_days: 7, mails_per_day: 200, version: 1 })
  expect(form.url).toMatch(/\/forms\/[\w-]{20}$/)
  await post(form.token, ADA)
  const params = { dataset_id }
  const listed = await call(ListForms, { as: owner, params })
  expect(listed.body).toMatchObject({ total: 1, items: [{ confirmed: 0, unconfirmed: 1, not_added: 0 }] })
  const ours = { dataset_id, form_id: form.form_id }
  const changed = await call(UpdateForm, { as: owner, params: ours, body: { keep_days: 2 } })
  expect(changed.body).toMatchObject({ keep_days: 2, version: 2, allowed_origins: [SITE] })
  expect((await call(DeleteForm, { as: owner, params: ours })).status).toBe(204)
  expect((await post(form.token, ADA)).status).toBe(404)
  expect(await db.formEntry.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('what leaves from a mailbox is changed only by whom it is given to', async () => {
  const { form, dataset_id } = await aForm(owner)
  const { mailbox_id } = await aMailbox(owner)
  const params = { dataset_id, form_id: form.form_id }
  const change = (as: typeof owner, body: object) => call(UpdateForm, { as, params, body })
  expect((await change(owner, { mailbox_id })).status).toBe(200)
  const member = await aMember(owner, 'member')
  const refused = await change(member, { mail_text: 'Buy this: {{link}}' })
  expect([refused.status, refused.error.detail]).toEqual([403, 'sender_not_given'])
  expect((await change(member, { mailbox_id: null, keep_days: 3 })).status).toBe(200)
})

test('an entry is kept by the columns of the form, with the evidence, and nothing else of it', async () => {
  const { form } = await aForm(owner)
  const answer = await post(form.token, ADA, { place: '192.0.2.77' })
  expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([202, SITE])
  expect(await answer.text()).not.toContain('example.com')
  expect(await loadEntries(form.form_id)).toMatchObject([
    {
      email: 'ada@example.com',
      cells: { email: 'ada@example.com', first_name: 'Ada' },
      consent_text: 'Send me the newsletter of Northwind.',
      origin: SITE,
      network: '192.0.2.0/24',
      confirmed_at: null,
      digest: null,
    },
  ])
})

test('the answer is the same for an address that is known, suppressed, or new', async () => {
  const { form, dataset_id } = await aForm(owner)
  const row = await db.datasetRow.findFirstOrThrow({ where: { dataset_id } })
  const { workspace_id } = owner
  await db.suppression.create({ data: { workspace_id, value: 'no@example.com', reason: 'unsubscribe' } })
  const answers = []
  for (const email of [row.email, 'no@example.com', 'new@example.com', 'new@example.com']) {
    const answer = await post(form.token, { email })
    answers.push([answer.status, await answer.text(), [...answer.headers.keys()]])
  }
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
})

test('of two entries of one address within a day the first counts: nobody changes what another is to confirm', async () => {
  const { form } = await aForm(owner)
  await post(form.token, { email: 'ada@example.com', first: 'Ada' })
  await post(form.token, { email: 'ADA@example.com', first: 'Mallory' })
  expect(await loadEntries(form.form_id)).toMatchObject([{ cells: { first_name: 'Ada' } }])
})

test('a program that fills in everything is answered like anybody, and nothing is kept', async () => {
  const { form } = await aForm(owner)
  expect((await post(form.token, { ...ADA, [HONEYPOT]: '555' })).status).toBe(202)
  expect(await loadEntries(form.form_id)).toEqual([])
  expect((await post(form.token, { ...ADA, [HONEYPOT]: '' })).status).toBe(202)
  expect(await loadEntries(form.form_id)).toHaveLength(1)
})

test.each([
  [{}, 'email'],
  [{ email: 'nobody' }, 'email'],
  [{ email: 'a@example.com, b@example.com' }, 'email'],
  [{ email: 'a@example.com', first: 'x'.repeat(2_001) }, 'first'],
  [{ email: 'a@example.com', first: { deep: true } }, 'first'],
])('422 %o names the field, and never what was written', async (fields, name) => {
  const { form } = await aForm(owner)
  const answer = await post(form.token, fields)
  const text = await answer.text()
  expect([answer.status, text]).toEqual([422, expect.stringContaining(name)])
  expect(text).not.toMatch(/nobody|example\.com|xxx/)
  expect(await loadEntries(form.form_id)).toEqual([])
})

test('another site, none, and the same name by another scheme are refused, and may not read why', async () => {
  const { form } = await aForm(owner)
  for (const origin of [
    null,
    'null',
    'https://evil.example',
    SITE.replace('https', 'http'),
    `${SITE}.evil.example`,
  ]) {
    const answer = await post(form.token, ADA, { origin })
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([403, null])
  }
  expect(await loadEntries(form.form_id)).toEqual([])
})

test('a page of an allowed site may ask before it sends JSON, others are told nothing', async () => {
  const { form } = await aForm(owner)
  const ask = (origin: string) =>
    answerPreflight(
      new Request(form.url, { method: 'OPTIONS', headers: { origin, 'x-forwarded-for': somePlace() } }),
      form.token,
    )
  const ours = await ask(SITE)
  expect([ours.status, ours.headers.get('access-control-allow-origin')]).toEqual([204, SITE])
  expect(ours.headers.get('access-control-allow-headers')).toBe('content-type')
  expect((await ask('https://evil.example')).headers.get('access-control-allow-origin')).toBeNull()
})

test.each([
  [
    'application/x-www-form-urlencoded',
    () => new URLSearchParams({ email: 'ada@example.com', first: 'Ada' }),
  ],
  [
    'multipart/form-data',
    () => {
      const data = new FormData()
      data.set('email', 'ada@example.com')
      return data
    },
  ],
])('an HTML form as %s goes on to the page of its owner, or to ours', async (_, body) => {
  const { form, dataset_id } = await aForm(owner)
  const send = (given: BodyInit) => {
    const headers = { origin: SITE, 'x-forwarded-for': somePlace() }
    return answerForm(new Request(form.url, { method: 'POST', headers, body: given }), form.token)
  }
  const sent = await send(body())
  expect([sent.status, sent.headers.get('location')]).toEqual([303, '/forms/sent'])
  expect(await loadEntries(form.form_id)).toMatchObject([{ email: 'ada@example.com' }])
  const params = { dataset_id, form_id: form.form_id }
  await call(UpdateForm, { as: owner, params, body: { redirect_url: `${SITE}/thanks` } })
  expect((await send(body())).headers.get('location')).toBe(`${SITE}/thanks`)
  const wrong = await send(new URLSearchParams({ email: 'nobody' }))
  expect([wrong.status, wrong.headers.get('location')]).toEqual([303, '/forms/not-sent'])
})

test('a signed form takes what its server signed just now, and nothing else', async () => {
  const { form } = await aForm(owner, { signed: true, allowed_origins: [] })
  expect(form.secret).toMatch(/^whsec_/)
  const body = JSON.stringify({ email: 'ada@example.com', visitor_ip: '198.51.100.7' })
  const sign = (at: Date, secret = form.secret ?? '', signed = body) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': new Webhook(secret).sign('msg_1', at, signed),
  })
  const second = () => new Date(Math.floor(Date.now() / 1_000) * 1_000)
  const send = (headers?: Record<string, string>, text = body) =>
    post(form.token, text, { origin: null, ...(headers && { headers }) })
  const other = `whsec_${Buffer.alloc(32, 7).toString('base64')}`
  expect((await send()).status).toBe(403)
  expect((await send(sign(second(), other))).status).toBe(403)
  expect((await send(sign(new Date(second().getTime() - 600_000)))).status).toBe(403)
  expect((await send(sign(second()), body.replace('ada', 'eve'))).status).toBe(403)
  expect((await post(form.token, body, { origin: SITE })).status).toBe(403)
  expect(await loadEntries(form.form_id)).toEqual([])
  expect((await send(sign(second()))).status).toBe(202)
  expect(await loadEntries(form.form_id)).toMatchObject([{ origin: null, network: '198.51.100.0/24' }])
})

test('409 to what is signed with a secret that was sealed under a lost key', async () => {
  const { form } = await aForm(owner, { signed: true, allowed_origins: [] })
  const signing_secret = `v2.00000000.${Buffer.alloc(60).toString('base64url')}`
  await db.form.update({ where: { form_id: form.form_id }, data: { signing_secret } })
  const refused = await post(form.token, JSON.stringify({ email: 'ada@example.com' }), { origin: null })
  expect([refused.status, await refused.json()]).toMatchObject([
    409,
    { message: expect.stringContaining('ENCRYPTION_KEY') },
  ])
  expect(await loadEntries(form.form_id)).toEqual([])
})

test('one place may send so many a minute, and tokens cannot be tried for long', async () => {
  const { form } = await aForm(owner)
  const place = somePlace()
  const statuses: number[] = []
  for (let sent = 0; sent < 14; sent += 1)
    statuses.push((await post(form.token, { email: `a${sent}@example.com` }, { place })).status)
  expect([statuses[0], statuses.at(-1)]).toEqual([202, 429])
  const guesser = somePlace()
  const guesses = await Promise.all(
    Array.from({ length: 80 }, () => post('A'.repeat(20), ADA, { place: guesser })),
  )
  expect(new Set(guesses.map(({ status }) => status))).toEqual(new Set([404, 429]))
})

test('what is too large, no JSON, no object, or names no form is refused', async () => {
  const { form } = await aForm(owner)
  const status = async (token: string, body: string) => (await post(token, body)).status
  expect(await status(form.token, `{"email":"${'a'.repeat(MAX_FORM_BYTES)}"}`)).toBe(400)
  expect(await status(form.token, '{')).toBe(422)
  expect(await status(form.token, '['.repeat(30_000))).toBe(422)
  expect(await status(form.token, '[]')).toBe(422)
  for (const token of ['', 'x', '\0'.repeat(20), `${form.token}x`])
    expect(await status(token, '{}')).toBe(404)
  expect(await loadEntries(form.form_id)).toEqual([])
})

test.each([
  [{ fields: [{ name: 'first', column: 'first_name' }] }, 'email'],
  [
    {
      fields: [
        { name: 'e', column: 'email' },
        { name: 'e', column: 'x' },
      ],
    },
    'name',
  ],
  [
    {
      fields: [
        { name: 'e', column: 'email' },
        { name: HONEYPOT, column: 'x' },
      ],
    },
    HONEYPOT,
  ],
  [{ allowed_origins: [] }, 'allowed_origins'],
  [{ allowed_origins: ['northwind.example'] }, 'allowed_origins'],
  [{ redirect_url: 'javascript:alert(1)' }, 'redirect_url'],
  [{ mail_subject: 'a\nBcc: b@example.com' }, 'mail_subject'],
  [{ keep_days: 31 }, 'keep_days'],
])('422 %o is no form', async (fields, name) => {
  const { status, error } = await aForm(owner, fields)
  expect([status, JSON.stringify(error)]).toEqual([422, expect.stringContaining(name)])
})

test('a form names a mailbox and a campaign of one’s own, over its dataset', async () => {
  const stranger = await aUser()
  const { mailbox_id } = await aMailbox(stranger)
  expect(await aForm(owner, { mailbox_id })).toMatchObject({ status: 404 })
  const { campaign_id } = await aCampaign(stranger)
  expect(await aForm(owner, { campaign_id })).toMatchObject({ status: 404 })
  const other = await aCampaign(owner)
  expect(await aForm(owner, { campaign_id: other.campaign_id })).toMatchObject({ status: 422 })
})

test('a member names only a mailbox that was given to them', async () => {
  const member = await aMember(owner, 'member')
  const { dataset_id } = await aDataset(owner)
  const { mailbox_id } = await aMailbox(owner)
  expect(await aFormOver(member, dataset_id, { mailbox_id })).toMatchObject({ status: 403 })
  const { workspace_id } = owner
  await db.mailboxMember.create({ data: { workspace_id, mailbox_id, user_id: member.user_id } })
  expect(await aFormOver(member, dataset_id, { mailbox_id })).toMatchObject({ status: 201 })
})

test('409 above fifty forms', async () => {
  const { dataset_id, form } = await aForm(owner)
  const {
    form_id: _,
    token: __,
    ...row
  } = await db.form.findUniqueOrThrow({ where: { form_id: form.form_id } })
  const copies = Array.from({ length: 49 }, () => ({
    ...row,
    token: crypto.randomUUID(),
    fields: [{ name: 'email', column: 'email', required: true }],
  }))
  await db.form.createMany({ data: copies })
  const more = await aFormOver(owner, dataset_id)
  expect([more.status, more.error.detail]).toEqual([409, 'forms_full'])
  expect(CreateForm.refusals).toContain(409)
})
