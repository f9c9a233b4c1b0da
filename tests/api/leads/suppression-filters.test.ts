import { beforeAll, expect, test } from 'vitest'
import {
  ExportSuppressions,
  ListSuppressions,
  ReadSuppressionReasons,
} from '#lib/contracts/leads/suppressions'
import { db } from '#lib/db/client'
import { DAY_MS } from '#lib/domain/calendar/zoned-time'
import { call } from '#tests/support/call'
import { aUser } from '#tests/support/scenes/factories'

type User = Awaited<ReturnType<typeof aUser>>
let parent: User
let owner: User

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS)

beforeAll(async () => {
  parent = await aUser()
  owner = await aUser()
  await db.workspace.update({
    where: { workspace_id: owner.workspace_id },
    data: { parent_workspace_id: parent.workspace_id },
  })
  const own = { workspace_id: owner.workspace_id }
  await db.suppression.createMany({
    data: [
      { ...own, value: 'cleo@example.com', reason: 'manual', created_at: daysAgo(1) },
      { ...own, value: 'ada@example.com', reason: 'hard_bounce', created_at: daysAgo(20) },
      { ...own, value: '@acme.example', reason: 'manual', created_at: daysAgo(200) },
      {
        workspace_id: parent.workspace_id,
        value: 'bob@example.com',
        reason: 'complaint',
        created_at: daysAgo(2),
      },
    ],
  })
})

const valuesOf = async (query: Record<string, string | number>) => {
  const { status, body } = await call(ListSuppressions, { as: owner, query })
  expect(status).toBe(200)
  expect(body.total).toBe(body.items.length)
  return body.items.map(({ value }) => value)
}

test.each([
  [{}, ['cleo@example.com', 'bob@example.com', 'ada@example.com', '@acme.example']],
  [{ reason: 'manual' }, ['cleo@example.com', '@acme.example']],
  [{ reason: 'man' }, []],
  [{ added_in_days: 30 }, ['cleo@example.com', 'bob@example.com', 'ada@example.com']],
  [{ added_in_days: 7, from: 'own' }, ['cleo@example.com']],
  [{ from: 'parent' }, ['bob@example.com']],
  [{ sort: 'value' }, ['@acme.example', 'ada@example.com', 'bob@example.com', 'cleo@example.com']],
  [{ sort: '-value', from: 'own' }, ['cleo@example.com', 'ada@example.com', '@acme.example']],
  [{ sort: 'created_at' }, ['@acme.example', 'ada@example.com', 'bob@example.com', 'cleo@example.com']],
  [{ sort: 'reason' }, ['bob@example.com', 'ada@example.com', 'cleo@example.com', '@acme.example']],
  [{ reason: 'manual', search: 'acme' }, ['@acme.example']],
  [{ search: 'a_a@example.com' }, []],
  [{ search: '%' }, []],
])('%o leaves these, in this order', async (query, values) => {
  expect(await valuesOf(query)).toEqual(values)
})

test('a workspace without a parent has nothing from one', async () => {
  const { body } = await call(ListSuppressions, { as: parent, query: { from: 'parent' } })
  expect(body).toMatchObject({ items: [], total: 0 })
})

test('reasons are counted, the most frequent first, as the other filters leave them', async () => {
  const count = async (query: Record<string, string | number>) =>
    (await call(ReadSuppressionReasons, { as: owner, query })).body.items.map(({ reason, count }) => [
      reason,
      count,
    ])
  expect(await count({})).toEqual([
    ['manual', 2],
    ['complaint', 1],
    ['hard_bounce', 1],
  ])
  expect(await count({ added_in_days: 30, from: 'own' })).toEqual([
    ['hard_bounce', 1],
    ['manual', 1],
  ])
})

test('an export has what the filters leave, oldest first', async () => {
  const { text } = await call(ExportSuppressions, { as: owner, query: { reason: 'manual' } })
  const values = text?.trim().split(/\r?\n/).slice(1)
  expect(values?.map((line) => line.split(',')[0]?.replace(/^'/, ''))).toEqual([
    '@acme.example',
    'cleo@example.com',
  ])
  const { text: ofParent } = await call(ExportSuppressions, { as: owner, query: { from: 'parent' } })
  expect(ofParent).toContain('bob@example.com')
  expect(ofParent).not.toContain('cleo@example.com')
})

test('422 for an order, an origin or a time that there is not', async () => {
  const wrong: Record<string, string>[] = [{ sort: 'colour' }, { from: 'elsewhere' }, { added_in_days: '0' }]
  for (const query of wrong) expect((await call(ListSuppressions, { as: owner, query })).status).toBe(422)
})
