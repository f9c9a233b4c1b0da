import { expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { ERRORS } from '#lib/errors'
import { issueToken } from '#lib/services/workspaces/tokens'
import { knock } from '#tests/support/door'
import { aCampaign, aDataset, aMailbox, anEnrolledLead, aUser } from '#tests/support/scenes/factories'

process.env.RATE_LIMIT_AI = '100000'

type Chunk = { type: string; delta?: string; input?: unknown; data?: { effect?: { title: string } } }
type Owner = Awaited<ReturnType<typeof aUser>>

/** The answers and calls of the offline assistant, over the API. */
async function ask(owner: Owner, body: object) {
  const token = await issueToken(owner.user_id, new Date())
  const response = await knock('POST', '/agent/chat', {
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ thread_id: 'talk', ...body }),
  })
  const text = await response.text()
  const chunks: (Chunk & { approvalId?: string })[] = text
    .split('\n\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice(6)))
  return {
    text: chunks.map(({ delta = '' }) => delta).join(''),
    calls: chunks.filter(({ type }) => type === 'tool-input-available').map(({ input }) => input),
    effect: chunks.find(({ type }) => type === 'data-approval')?.data?.effect,
    approval_id: chunks.find(({ type }) => type === 'tool-approval-request')?.approvalId,
  }
}

/** A running campaign of two leads. */
async function running() {
  const owner = await aUser()
  await aMailbox(owner)
  const { dataset_id } = await aDataset(owner, [
    { email: 'ada@acme.example', first_name: 'Ada' },
    { email: 'bob@beta.example', first_name: 'Bob' },
  ])
  const { campaign_id } = await aCampaign(owner, {
    name: 'Spring',
    dataset_id,
    timezone: 'Europe/Berlin',
    steps_config: [
      { subject: 'Hi', message_template: 'Hi' },
      { delay_days: 3, subject: 'Again', message_template: 'Hi again' },
    ],
  })
  await anEnrolledLead(owner, { campaign_id, email: 'ada@acme.example', lead_index: 0 })
  await anEnrolledLead(owner, { campaign_id, email: 'bob@beta.example', lead_index: 1 })
  const status = async () => (await db.campaign.findUniqueOrThrow({ where: { campaign_id } })).status
  return { owner, campaign_id, status }
}

test.each([
  ['list my campaigns', 'listCampaigns', 'Spring: active'],
  ['show datasets', 'listDatasets', '2 rows'],
  ['which mailboxes are there?', 'listMailboxes', '@'],
  ['list templates', 'listTemplates', 'none'],
])('“%s” is read by %s', async (message, operation, says) => {
  const { owner } = await running()
  const { text, calls } = await ask(owner, { message })
  expect(calls).toEqual([{ operation, arguments: {} }])
  expect(text.toLowerCase()).toContain(says.toLowerCase())
})

test.each([
  'find the lead ada@acme.example',
  'find leads named ada@',
  'search the lead “ada”',
  'find lead ada',
])('a lead is found: “%s”', async (message) => {
  const { owner } = await running()
  const { text } = await ask(owner, { message })
  expect(text).toContain('ada@acme.example in Spring')
  expect(text).not.toContain('bob@')
})

test('a pause is asked for in words, done when approved, and left when not', async () => {
  const { owner, status } = await running()
  const first = await ask(owner, { message: 'pause “Spring”' })
  expect(first.effect).toMatchObject({
    title: 'Pause “Spring”: nothing more is sent from it until it is resumed.',
    sentences: ['2 leads wait where they stand.'],
    fields: [],
  })
  const denied = await ask(owner, { resume: { approval_id: first.approval_id, approved: false } })
  expect(denied.text).toContain('I will leave it as is')
  expect(await status()).toBe('active')
  const second = await ask(owner, { message: 'pause “Spring”' })
  const done = await ask(owner, { resume: { approval_id: second.approval_id, approved: true } })
  expect(done.text).toContain('Spring** is paused')
  expect(await status()).toBe('paused')
  const third = await ask(owner, { message: 'resume it' })
  expect(third.effect?.title).toBe('Resume “Spring”: 2 leads continue.')
})

test('going on instead of an answer means no: what was asked before can be approved no more', async () => {
  const { owner, status } = await running()
  const { approval_id } = await ask(owner, { message: 'pause “Spring”' })
  expect(approval_id).toEqual(expect.any(String))
  await ask(owner, { message: 'list my campaigns' })
  const token = await issueToken(owner.user_id, new Date())
  const late = await knock('POST', '/agent/chat', {
    headers: { authorization: `Bearer ${token}` },
    body: JSON.stringify({ thread_id: 'talk', resume: { approval_id, approved: true } }),
  })
  expect([late.status, await late.json()]).toEqual([409, { detail: ERRORS.grant_invalid.message }])
  expect(await status()).toBe('active')
})

test('a resumption tells how many leads go on, and when, where the campaign lives', async () => {
  const { owner, campaign_id } = await running()
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  const { effect } = await ask(owner, { message: 'resume this campaign', page_context: { campaign_id } })
  expect(effect?.title).toBe('Resume “Spring”: 2 leads continue.')
  expect(JSON.stringify(effect)).toMatch(/2 actions to come: the next .+ \(Europe\/Berlin\), the last/)
})

test.each(['Why is “Spring” not sending?', 'why isn’t Spring sending?', 'Why is it stuck?'])(
  'it says what holds a campaign back: “%s”',
  async (message) => {
    const { owner, campaign_id } = await running()
    await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
    const { text } = await ask(owner, { message, page_context: { campaign_id } })
    expect(text).toContain('**Spring** is paused')
    expect(text).toContain('Say “resume it”')
  },
)

test('a forecast names how much is to come, and when', async () => {
  const { owner } = await running()
  const { text, calls } = await ask(owner, { message: 'forecast of “Spring”' })
  expect(calls.at(-1)).toMatchObject({ operation: 'forecastCampaign' })
  expect(text).toMatch(/\*\*Spring\*\* has (?:\d+ actions to come, the first at .+ UTC|nothing left to do)/)
})

test('a template is made as it was said, once that is approved', async () => {
  const owner = await aUser()
  const message = 'create a template “Hello” with the subject “Hi” and the text “Good day”'
  const { effect, approval_id } = await ask(owner, { message })
  expect(effect).toMatchObject({
    title: 'Create the template “Hello”. Nothing is sent.',
    fields: expect.arrayContaining([
      { label: 'Subject', value: 'Hi' },
      { label: 'Body', value: 'Good day' },
    ]),
  })
  const where = { workspace_id: owner.workspace_id }
  expect(await db.template.count({ where })).toBe(0)
  const { text } = await ask(owner, { resume: { approval_id, approved: true } })
  expect(text).toContain('Created the template **Hello**')
  expect(await db.template.findFirst({ where })).toMatchObject({ name: 'Hello' })
})

test('a template without its parts is asked for, and nothing is made', async () => {
  const { text, calls } = await ask(await aUser(), { message: 'create a template' })
  expect([text, calls]).toEqual([expect.stringContaining('with the subject'), []])
})

test.each([
  ['/campaigns', 'list campaigns'],
  ['/templates', 'list templates'],
  ['/inbox', 'find leads'],
  ['/settings', 'pause or resume'],
])('opened on %s it says what it can do there, and that it is offline', async (path, says) => {
  const { text, calls } = await ask(await aUser(), { page_context: { path } })
  expect(text).toContain('offline assistant')
  expect(text).toContain(says)
  expect(calls).toEqual([])
})

test('of a campaign that is not there, of two alike, and of none it asks or says so', async () => {
  const { owner } = await running()
  expect((await ask(owner, { message: 'pause “Winter”' })).text).toContain('No campaign is named Winter')
  expect((await ask(owner, { thread_id: 'other', message: 'pause' })).text).toContain('Which campaign?')
  await aCampaign(owner, { name: 'Spring two', steps_config: [{ subject: 'Hi', message_template: 'Hi' }] })
  await aCampaign(owner, { name: 'Spring three', steps_config: [{ subject: 'Hi', message_template: 'Hi' }] })
  const { text } = await ask(owner, { message: 'pause “Spring t”' })
  expect(text).toContain('Which of them?')
  expect(text).toContain('Spring two')
})

test('what it does not know it does not pretend to know', async () => {
  const { text, calls } = await ask(await aUser(), { message: 'Write me a poem' })
  expect([text, calls]).toEqual([expect.stringContaining('I only understand a few requests'), []])
})
