import fc from 'fast-check'
import { expect, test } from 'vitest'
import { MAX_ROWS_SEARCHED_WHOLE } from '#lib/contracts/datasets/datasets'
import { db, pool } from '#lib/db/client'
import { likeText } from '#lib/db/like'
import { inTransaction } from '#lib/db/transaction'
import { listDatasetRows } from '#lib/services/datasets/datasets'
import { searchTextSql } from '#lib/services/datasets/lead-search'
import { fillTexts, findUnsearched } from '#lib/services/datasets/search-texts'
import { listCampaignLeads } from '#lib/services/leads/campaign-leads'
import { listPeople } from '#lib/services/leads/people/list'
import { fillSearchesRound } from '#lib/services/leads/people/search-round'
import { fillPeopleTexts, findUnsearchedPeople } from '#lib/services/leads/people/search-texts'
import { removeDatasetRow } from '#lib/services/leads/rows/edit-row'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'

const NOW = new Date('2026-11-26T09:00:00Z')
const page = { page: 1, page_size: 100 }
const WORDS = ['Ann', 'Müller', 'Мария', '王小明', '50%', 'a_b', 'back\\slash', '303', 'İpek', "O'Neil", 'ß']

type Scene = Awaited<ReturnType<typeof aScene>>

async function aScene() {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 6)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  return { ...owner, dataset_id, campaign_id }
}

const like = (q: string) => `%${likeText(q.toLowerCase())}%`

/** The result of a full scan, as searches worked before there was an index. */
async function readThrough({ dataset_id, campaign_id, workspace_id }: Scene, q: string) {
  const found = async (sql: string, values: unknown[]) =>
    (await pool().query<{ id: unknown }>(sql, values)).rows.map(({ id }) => id)
  return {
    rows: await found(
      `SELECT lead_index AS id FROM dataset_rows r WHERE dataset_id = $1
       AND (email LIKE $2 OR ${searchTextSql('r')} LIKE $2) ORDER BY 1`,
      [dataset_id, like(q)],
    ),
    leads: await found(
      `SELECT l.lead_index AS id FROM campaign_leads l LEFT JOIN dataset_rows r USING (dataset_id, lead_index)
       WHERE campaign_id = $1 AND (l.email LIKE $2 OR ${searchTextSql('r')} LIKE $2) ORDER BY 1`,
      [campaign_id, like(q)],
    ),
    people: await found(
      `SELECT person_id AS id FROM people WHERE workspace_id = $1
       AND lower(concat_ws(' ', first_name, last_name, email, profile, company)) LIKE $2 ORDER BY 1 DESC`,
      [workspace_id, like(q)],
    ),
  }
}

/** As in a dataset with more rows than a full scan is used for: only the index is used. */
async function asLarge<T>(dataset_id: string, read: () => Promise<T>): Promise<T> {
  const grow = (by: number) =>
    db.dataset.update({ where: { dataset_id }, data: { row_count: { increment: by } } })
  await grow(MAX_ROWS_SEARCHED_WHOLE)
  const answer = await read()
  await grow(-MAX_ROWS_SEARCHED_WHOLE)
  return answer
}

async function searched({ dataset_id, campaign_id, workspace_id }: Scene, search: string) {
  const rows = await asLarge(dataset_id, () => listDatasetRows(workspace_id, dataset_id, { ...page, search }))
  const leads = await listCampaignLeads(workspace_id, campaign_id, { ...page, search }, new Date())
  const people = await listPeople(workspace_id, { ...page, search }, NOW)
  expect([rows.total, leads.total, people.total]).toEqual(
    [rows.items, leads.items, people.items].map((items) => items.length),
  )
  return {
    rows: rows.items.map(({ lead_index }) => lead_index),
    leads: leads.items.map(({ lead_index }) => lead_index),
    people: people.items.map(({ person_id }) => person_id),
  }
}

const index = fc.integer({ min: 0, max: 8 })
const word = fc.constantFrom(...WORDS)
const change = fc.oneof(
  fc.record({ does: fc.constant('add' as const), word }),
  fc.record({ does: fc.constant('name' as const), index, word }),
  fc.record({ does: fc.constant('address' as const), index, word: fc.constantFrom('new', 'old', 'ann') }),
  fc.record({ does: fc.constant('remove' as const), index }),
  fc.record({ does: fc.constant('enrol' as const) }),
  fc.record({ does: fc.constant('meet' as const), word, early: fc.boolean() }),
  fc.record({ does: fc.constant('rename' as const), word }),
  fc.record({ does: fc.constant('fill' as const) }),
)

const asked = fc.subarray(
  [...WORDS, 'lead', '@', 'old', 'comp', '\\', 'ü', '王小', 'added.example', '@example.net', 'example.com'],
  {
    minLength: 5,
    maxLength: 5,
  },
)

async function make(scene: Scene, one: typeof change extends fc.Arbitrary<infer T> ? T : never) {
  const { dataset_id, workspace_id, campaign_id } = scene
  const run = (sql: string, ...values: unknown[]) => pool().query(sql, values)
  if (one.does === 'add')
    return run(
      `WITH place AS (UPDATE datasets SET next_lead_index = greatest(next_lead_index, 6) + 1 WHERE dataset_id = $1
         RETURNING next_lead_index - 1 AS lead_index)
       INSERT INTO dataset_rows (dataset_id, workspace_id, lead_index, email, data)
       SELECT $1, $2, lead_index, lead_index || '@added.example', jsonb_build_object('first_name', $3::text) FROM place`,
      dataset_id,
      workspace_id,
      one.word,
    )
  if (one.does === 'name')
    return run(
      `UPDATE dataset_rows SET data = data || jsonb_build_object('company', $3::text) WHERE dataset_id = $1 AND lead_index = $2`,
      dataset_id,
      one.index,
      one.word,
    )
  if (one.does === 'address')
    return run(
      `UPDATE dataset_rows SET email = $3 || lead_index || '@example.net' WHERE dataset_id = $1 AND lead_index = $2`,
      dataset_id,
      one.index,
      one.word,
    )
  if (one.does === 'remove')
    return removeDatasetRow({ dataset_id, workspace_id, lead_index: one.index }, NOW).catch(() => null)
  if (one.does === 'enrol')
    return run(
      `INSERT INTO campaign_leads (campaign_id, workspace_id, dataset_id, lead_index, email, status)
       SELECT $1, workspace_id, dataset_id, lead_index, email, 'active' FROM dataset_rows WHERE dataset_id = $2
       ON CONFLICT DO NOTHING`,
      campaign_id,
      dataset_id,
    )
  if (one.does === 'meet')
    return run(
      `INSERT INTO people (person_id, workspace_id, email, last_name, updated_at)
       VALUES (CASE WHEN $3 THEN ('00000000' || right(gen_random_uuid()::text, 28))::uuid ELSE uuid_v7() END,
         $1, gen_random_uuid() || '@example.com', $2, now())`,
      workspace_id,
      one.word,
      one.early,
    )
  if (one.does === 'rename')
    return run('UPDATE people SET company = $2 WHERE workspace_id = $1', workspace_id, one.word)
  await fillTexts(dataset_id)
  return fillPeopleTexts(workspace_id)
}

test('whatever is written, and filled meanwhile: a search finds what reading everything through finds', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(change, { maxLength: 12 }), asked, async (changes, searches) => {
      const scene = await aScene()
      for (const one of changes) await make(scene, one)
      for (const q of searches) expect(await searched(scene, q)).toEqual(await readThrough(scene, q))
    }),
    { numRuns: 15 },
  )
})

test('who fills does not wait for whoever writes, and overlooks nothing that they commit', async () => {
  const scene = await aScene()
  const { dataset_id, workspace_id } = scene
  await inTransaction(pool(), async (client) => {
    await client.query(
      `UPDATE dataset_rows SET data = '{"first_name":"Late"}' WHERE dataset_id = $1 AND lead_index = 2`,
      [dataset_id],
    )
    await client.query(
      `INSERT INTO people (workspace_id, email, updated_at) VALUES ($1, 'late@example.com', now())`,
      [workspace_id],
    )
    expect(await fillTexts(dataset_id)).toBeNull()
    expect(await fillPeopleTexts(workspace_id)).toBeNull()
  })
  expect(await fillTexts(dataset_id)).toEqual({ goes_on: false })
  expect(await fillPeopleTexts(workspace_id)).toEqual({ goes_on: false })
  const found = await searched(scene, 'late')
  expect(found.rows).toEqual([2])
  expect(found.people).toHaveLength(1)
})

test('a round fills what has come in, and then there is nothing to fill', async () => {
  const { dataset_id, workspace_id } = await aScene()
  await db.person.create({ data: { workspace_id, email: 'one@example.com' } })
  expect(await findUnsearched(1)).toContain(dataset_id)
  expect(await findUnsearchedPeople(1)).toContain(workspace_id)
  const clock = () => NOW
  expect(await fillSearchesRound({ clock, until: NOW, least: 1 })).toEqual({ goes_on: true })
  expect(await findUnsearched(1)).toContain(dataset_id)
  const until = new Date(NOW.getTime() + 1)
  expect(await fillSearchesRound({ clock, until, least: 1 })).toEqual({ goes_on: false })
  expect(await findUnsearched(1)).not.toContain(dataset_id)
  expect(await findUnsearchedPeople(1)).not.toContain(workspace_id)
  expect(await db.datasetText.count({ where: { dataset_id } })).toBe(6)
})

test('a search of another workspace finds nobody of this one', async () => {
  const scene = await aScene()
  await fillTexts(scene.dataset_id)
  await db.person.create({ data: { workspace_id: scene.workspace_id, email: 'company@example.com' } })
  await fillPeopleTexts(scene.workspace_id)
  const other = await aUser()
  const as = { ...scene, workspace_id: other.workspace_id }
  await expect(
    listDatasetRows(as.workspace_id, as.dataset_id, { ...page, search: 'company' }),
  ).rejects.toThrow()
  await expect(
    listCampaignLeads(as.workspace_id, as.campaign_id, { ...page, search: 'company' }, new Date()),
  ).rejects.toThrow()
  expect((await listPeople(as.workspace_id, { ...page, search: 'company' }, NOW)).total).toBe(0)
})

test('without the index a search reads the texts through', async () => {
  const scene = await aScene()
  await fillTexts(scene.dataset_id)
  await inTransaction(pool(), (client) =>
    client.query('DROP INDEX dataset_texts_search; DROP INDEX people_texts_search'),
  )
  expect((await searched(scene, 'company 3')).rows).toEqual([3])
})
