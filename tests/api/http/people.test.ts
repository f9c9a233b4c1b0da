import { beforeEach, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { SCOPES } from '#lib/contracts/contract'
import { PreviewPersonalization } from '#lib/contracts/personalize/personalize'
import { ReadCurrentUser } from '#lib/contracts/workspaces/auth'
import { db } from '#lib/db/client'
import { createTemplate, updateTemplate } from '#lib/operations/messages/templates'
import { operation } from '#lib/operations/operation'
import { call } from '#tests/support/call'
import { aDataset, aPersonalizationRun, aUser } from '#tests/support/scenes/factories'
import { deleteDatasets } from '../../../app/(dashboard)/datasets/actions.ts'
import { tryPrompt, writeAnew } from '../../../app/(dashboard)/personalize/actions.ts'
import { addSuppressions } from '../../../app/(dashboard)/suppressions/actions.ts'
import { answered, formAction, perform } from '../../../app/action.ts'

const signedIn = vi.hoisted(() => ({ user: null as unknown }))
vi.mock('#lib/http/session', () => ({ requireUser: async () => signedIn.user }))
vi.mock('next/cache', () => ({ revalidatePath: () => undefined, refresh: () => undefined }))

type User = Awaited<ReturnType<typeof aUser>>
let owner: User

beforeEach(async () => {
  owner = await aUser()
  const { workspace_id, user_id, email } = owner
  signedIn.user = {
    workspace_id,
    user_id,
    email,
    name: 'Ada',
    tier: 'free',
    created_at: new Date(),
    credential: 'jwt',
    scopes: SCOPES,
  }
})

function formOf(fields: Record<string, string>): FormData {
  const data = new FormData()
  for (const [name, value] of Object.entries(fields)) data.set(name, value)
  return data
}

const logged = () =>
  db.auditEvent.findMany({ where: { workspace_id: owner.workspace_id }, orderBy: { at: 'asc' } })

test('of sixty questions to the model in a moment twenty go through, and the rest are told so in words', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  try {
    const { dataset_id } = await aDataset(owner, 1)
    const asked = formOf({ dataset_id, prompt: 'Be brief' })
    const answers = []
    for (let count = 0; count < 60; count += 1) answers.push(await tryPrompt(null, asked))
    expect(answers.map(({ ok }) => ok)).toEqual(answers.map((_, index) => index < 20))
    expect(answers.at(-1)).toEqual({
      ok: false,
      message: 'Too many requests. Try again in 3 seconds.',
    })
    // The same bucket as for their JWT: using both gains nothing.
    const body = { dataset_id, prompt: 'Be brief' }
    expect((await call(PreviewPersonalization, { as: owner, body })).status).toBe(429)
    const { run_id } = await aPersonalizationRun(owner, { dataset_id })
    const [text] = await db.generation.findMany({ where: { run_id } })
    expect((await writeAnew(text?.generation_id ?? '')).ok).toBe(false)
  } finally {
    vi.useRealTimers()
  }
})

const save = formAction(
  createTemplate,
  (data) => ({ body: { name: data.get('name'), content: { subject: 'S', body: data.get('body') } } }),
  { said: ({ name }) => `${name} is saved.`, control: (path) => path.replace(/^content\./, '') },
)

test('what a person does through a form is done, said and in the log as theirs', async () => {
  expect(await save(null, formOf({ name: 'First', body: 'Hello' }))).toEqual({
    ok: true,
    message: 'First is saved.',
  })
  const [made] = await db.template.findMany({ where: { workspace_id: owner.workspace_id } })
  expect(await logged()).toMatchObject([
    { operation: 'createTemplate', by: 'person', target: { template_id: made?.template_id } },
  ])
})

test('of several at once each is done for itself, and one that is refused is told with its reason', async () => {
  const mine = await aDataset(owner, 1)
  const theirs = await aDataset(await aUser(), 1)
  expect(await deleteDatasets([mine.dataset_id, theirs.dataset_id])).toEqual({
    deleted: [mine.dataset_id],
    refused: [{ dataset_id: theirs.dataset_id, reason: 'Dataset not found.' }],
  })
  expect(await logged()).toMatchObject([
    { operation: 'deleteDataset', by: 'person', target: { dataset_id: mine.dataset_id } },
  ])
})

test('of a list in one control the first entries at fault are told, and how many more there are', async () => {
  const values = (count: number) =>
    formOf({
      values: ['ada@example.com', ...Array.from({ length: count }, (_, at) => `no ${at}`)].join('\n'),
    })
  const told = async (count: number) => {
    const result = await addSuppressions(null, values(count))
    return result?.ok === false ? (result.fields?.values ?? '') : ''
  }
  expect((await told(1)).match(/“no \d+”/g)).toEqual(['“no 0”'])
  expect((await told(3)).match(/“no \d+”/g)).toEqual(['“no 0”', '“no 1”', '“no 2”'])
  expect(await told(3)).not.toMatch(/more\.$/)
  expect((await told(5)).match(/“no \d+”/g)).toHaveLength(3)
  expect(await told(5)).toMatch(/; and 2 more\.$/)
  expect(await told(500)).toMatch(/; and many more\.$/)
  expect(await db.suppression.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('a field at fault is told at its control, and nothing is done or logged', async () => {
  expect(await save(null, formOf({ name: '', body: 'Hello' }))).toMatchObject({
    ok: false,
    fields: { name: 'Fill this in.' },
  })
  expect(await save(null, formOf({ name: 'T', body: '' }))).toMatchObject({
    ok: false,
    fields: { body: expect.any(String) },
  })
  expect(await logged()).toEqual([])
  expect(await db.template.count({ where: { workspace_id: owner.workspace_id } })).toBe(0)
})

test('another’s row is not found, in words', async () => {
  const stranger = await aUser()
  const theirs = await db.template.create({
    data: {
      workspace_id: stranger.workspace_id,
      user_id: stranger.user_id,
      name: 'T',
      content: { subject: 'S', body: 'B' },
    },
  })
  const params = { template_id: theirs.template_id }
  expect(await answered(() => perform(updateTemplate, { params, body: { name: 'Mine' } }))).toEqual({
    ok: false,
    message: 'Template not found.',
  })
})

test('only what the schema of the answer names reaches a page', async () => {
  const leaky = operation({ ...ReadCurrentUser, response: z.object({ name: z.string() }) }, async () => ({
    name: 'Ada',
    password_digest: 'secret',
  }))
  expect(await perform(leaky)).toEqual({ name: 'Ada' })
})

test('a file above the limit of its operation is refused before it is read', async () => {
  const act = vi.fn(async () => ({ name: 'never' }))
  const small = {
    ...PreviewPersonalization,
    max_bytes: 10 * 1024 * 1024,
    response: z.object({ name: z.string() }),
  }
  const file = new File([new Uint8Array(10 * 1024 * 1024 + 1)], 'large.csv')
  const refused = await answered(() => perform({ contract: small, act }, { body: { file } }))
  expect(refused).toEqual({ ok: false, message: 'The file is larger than 10 MB. Split it.' })
  expect(act).not.toHaveBeenCalled()
})
