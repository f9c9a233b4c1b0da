import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { AgentChat } from '#lib/contracts/assistant/agent'
import { Personalize } from '#lib/contracts/personalize/personalize'
import { ReadAccountSettings, UpdateAccountSettings } from '#lib/contracts/workspaces/account-settings'
import { db } from '#lib/db/client'
import { draftInboxReply } from '#lib/services/inbox/written/draft'
import { regenerateGeneration } from '#lib/services/personalize/rows'
import { getRun, previewRun, startRun } from '#lib/services/personalize/runs'
import { workRun } from '#lib/services/personalize/work'
import { readAiBudget, withinAiBudget } from '#lib/services/workspaces/ai-budget'
import { call } from '#tests/support/call'
import { fakeWriter, honest } from '#tests/support/doubles/fake-writer'
import { archive } from '#tests/support/files/archives'
import { aDataset, aThread, aUser } from '#tests/support/scenes/factories'

// An answer of the fake model takes 100 tokens in and 20 out.
const ONE = 120
// A model is configured at an address where nobody listens: each test brings its own.
process.env.AI_PROVIDER = 'openai'
process.env.AI_BASE_URL = 'http://127.0.0.1:1/v1'
process.env.AI_MODEL = 'fake'
process.env.AI_TOKENS_PER_MONTH = String(5 * ONE)

const START = new Date('2026-03-02T10:00:00.000Z')
const FAR = new Date('2027-01-01T00:00:00.000Z')
const SPENT = expect.objectContaining({ code: 'ai_budget_spent' })

async function aWorkspace(ai_tokens_per_month: number | null, timezone = 'UTC') {
  const owner = await aUser()
  const { workspace_id } = owner
  await db.workspace.update({ where: { workspace_id }, data: { ai_tokens_per_month, timezone } })
  return owner
}

type Owner = Awaited<ReturnType<typeof aWorkspace>>

async function run(owner: Owner, leads: number, writer = fakeWriter(honest).writer) {
  const { workspace_id } = owner
  const { dataset_id } = await aDataset(owner, leads)
  const { run_id } = await startRun(workspace_id, Personalize.body.parse({ dataset_id }), START, writer)
  await workRun(run_id, { writer, clock: () => START, until: FAR, concurrency: 1 })
  return getRun(workspace_id, run_id)
}

const used = async ({ workspace_id }: Owner, now = START) => (await readAiBudget(workspace_id, now)).used

describe('once the tokens of a workspace are used', () => {
  test('a run ends with the texts that it has, and says why', async () => {
    const fake = fakeWriter(honest)
    const owner = await aWorkspace(2.5 * ONE)
    const over = await run(owner, 9, fake.writer)
    // The third request was made while there was still some budget.
    expect([fake.total(), await used(owner)]).toEqual([3, 3 * ONE])
    expect(over).toMatchObject({ status: 'failed', generated_count: 3, tokens_in: 300, tokens_out: 60 })
    expect(over.error).toContain('This month’s AI budget of 300 tokens is used up.')
  })

  test('nothing asks the model, and no call is begun', async () => {
    const fake = fakeWriter(honest)
    const owner = await aWorkspace(ONE)
    const { workspace_id } = owner
    const { dataset_id, run_id } = await run(owner, 1, fake.writer)
    const { thread_id } = await aThread(owner)
    const { generation_id } = await db.generation.findFirstOrThrow({ where: { run_id } })
    const body = Personalize.body.parse({ dataset_id })
    await expect(startRun(workspace_id, body, START, fake.writer)).rejects.toEqual(SPENT)
    await expect(previewRun(workspace_id, body, START, fake.writer)).rejects.toEqual(SPENT)
    await expect(regenerateGeneration(workspace_id, generation_id, START, fake.writer)).rejects.toEqual(SPENT)
    await expect(draftInboxReply(owner, thread_id, START, fake.writer)).rejects.toEqual(SPENT)
    await db.workspace.update({ where: { workspace_id }, data: { ai_tokens_per_month: 0 } })
    const chat = await call(AgentChat, { as: owner, body: { message: 'How is it going?' } })
    expect([chat.status, await db.conversation.count({ where: { workspace_id } })]).toEqual([409, 0])
    expect([fake.total(), await db.personalizationRun.count({ where: { workspace_id } })]).toEqual([1, 1])
  })

  test('another workspace goes on, also one of the same person', async () => {
    const spent = await aWorkspace(0)
    await expect(run(spent, 1)).rejects.toEqual(SPENT)
    const other = await aWorkspace(null)
    await db.member.create({
      data: { workspace_id: other.workspace_id, user_id: spent.user_id, role: 'admin' },
    })
    expect(await run({ ...spent, workspace_id: other.workspace_id }, 2)).toMatchObject({ generated_count: 2 })
    expect([await used(spent), await used(other)]).toEqual([0, 2 * ONE])
  })
})

test('no workspace may use more than its instance allows', async () => {
  const owners = await Promise.all([aWorkspace(null), aWorkspace(50 * ONE)])
  for (const owner of owners) {
    expect(await run(owner, 9)).toMatchObject({ status: 'failed', generated_count: 5 })
    expect(await used(owner)).toBe(5 * ONE)
  }
})

test.each([
  ['Europe/Berlin', 0],
  ['UTC', 2 * ONE],
])('a month begins at midnight in %s', async (zone, left) => {
  const owner = await aWorkspace(3 * ONE, zone)
  await run(owner, 2)
  expect(await used(owner, new Date('2026-03-31T21:59:59.000Z'))).toBe(2 * ONE)
  expect(await used(owner, new Date('2026-03-31T22:00:00.000Z'))).toBe(left)
})

test('an export says what was used', async () => {
  const owner = await aWorkspace(null)
  await run(owner, 1)
  const lines = await archive(owner)
  const used = lines.filter(({ table }) => table === 'ai_usage').map(({ row }) => row?.tokens)
  expect(used).toEqual([ONE])
})

test('the offline writer is on nobody’s budget', async () => {
  const owner = await aWorkspace(0)
  const { writer } = fakeWriter(honest)
  expect(await run(owner, 1, { ...writer, offline: true })).toMatchObject({ generated_count: 1 })
  expect(await used(owner)).toBe(0)
})

describe('a streamed answer', () => {
  const DELTA: LanguageModelV4StreamPart = { type: 'text-delta', id: '0', delta: 'x'.repeat(40) }
  const END: LanguageModelV4StreamPart = {
    type: 'finish',
    finishReason: { unified: 'stop', raw: undefined },
    usage: {
      inputTokens: { total: 70, noCache: 70, cacheRead: 0, cacheWrite: 0 },
      outputTokens: { total: 7, text: 7, reasoning: 0 },
    },
  }
  const PROMPT = [{ role: 'system' as const, content: 'x'.repeat(400) }]

  async function streamed(owner: Owner, parts: LanguageModelV4StreamPart[], read: number) {
    const { writer } = fakeWriter(honest)
    const doStream: LanguageModelV4['doStream'] = () =>
      Promise.resolve({
        stream: new ReadableStream<LanguageModelV4StreamPart>({
          start(controller) {
            for (const part of parts) controller.enqueue(part)
            controller.close()
          },
        }),
      })
    const asked = { ...writer, model: { ...writer.model, doStream } }
    const { model } = withinAiBudget(asked, owner.workspace_id, () => START)
    const { stream } = await model.doStream({ prompt: PROMPT })
    const reader = stream.getReader()
    for (let at = 0; at < read; at += 1) await reader.read()
    await reader.cancel()
  }

  test('counts what its end says', async () => {
    const owner = await aWorkspace(null)
    await streamed(owner, [DELTA, END], 3)
    expect(await used(owner)).toBe(77)
  })

  test('that nobody reads to its end counts by its characters', async () => {
    const owner = await aWorkspace(null)
    await streamed(owner, [DELTA, END], 1)
    expect(await used(owner)).toBe(Math.ceil(JSON.stringify(PROMPT).length / 4) + 10)
  })
})

test('an admin sets it, and everybody there sees what was used', async () => {
  const owner = await aWorkspace(null)
  const set = await call(UpdateAccountSettings, { as: owner, body: { ai_tokens_per_month: 4 * ONE } })
  expect([set.status, set.body.ai_tokens_per_month]).toEqual([200, 4 * ONE])
  await db.aiUsage.create({
    data: { workspace_id: owner.workspace_id, month: monthOf(new Date()), tokens: 33 },
  })
  const { body } = await call(ReadAccountSettings, { as: owner })
  expect(body).toMatchObject({ ai_tokens_per_month: 4 * ONE, ai_tokens_most: 5 * ONE, ai_tokens_used: 33 })
  const wrong = await call(UpdateAccountSettings, { as: owner, body: { ai_tokens_per_month: -1 } })
  expect([wrong.status, JSON.stringify(wrong.body)]).toEqual([
    422,
    expect.stringContaining('ai_tokens_per_month'),
  ])
})

const monthOf = (now: Date) => new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1))
