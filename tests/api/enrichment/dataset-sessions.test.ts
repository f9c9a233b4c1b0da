import { expect, test } from 'vitest'
import { EditDatasetRow } from '#lib/contracts/datasets/dataset-rows'
import { ListDatasets } from '#lib/contracts/datasets/datasets'
import {
  CancelDatasetSession,
  ListDatasetSessions,
  ListEnrichmentProviders,
  ReadDatasetSession,
  UndoDatasetSession,
} from '#lib/contracts/enrichment/dataset-sessions'
import { Personalize, ReadPersonalizationRun } from '#lib/contracts/personalize/personalize'
import { db } from '#lib/db/client'
import { personalizeRound } from '#lib/services/personalize/round'
import { issueToken } from '#lib/services/workspaces/tokens'
import { call } from '#tests/support/call'
import { knock } from '#tests/support/door'
import { changesOf, enriched, LEADS, process, rowsOf } from '#tests/support/scenes/enriched'
import { aDataset, aTemplate, aUser } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'

test('a personalization run is a session of its dataset, whoever begins it', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 3)
  const { template_id } = await aTemplate(owner)
  const begun = await process(owner, dataset_id, { pipeline_type: 'personalization', template_id })
  expect([begun.status, begun.body]).toMatchObject([
    202,
    {
      work: 'personalization',
      pipeline_type: 'personalization',
      status: 'queued',
      leads_count: 3,
      processed_count: 0,
      progress_percentage: 0,
      options: { template_id },
    },
  ])
  const { session_id } = begun.body
  const run = await call(ReadPersonalizationRun, { as: owner, params: { run_id: session_id } })
  expect(run.body).toMatchObject({ dataset_id, template_id, total: 3 })

  await personalizeRound(session_id)
  const byType = async (pipeline_type: string) =>
    (await call(ListDatasets, { as: owner, query: { pipeline_type } })).body
  expect(await byType('personalization')).toMatchObject({
    total_count: 1,
    datasets: [
      {
        dataset_id,
        session_id,
        pipeline_type: 'personalization',
        status: 'completed',
        leads_count: 3,
        processed_count: 3,
        failed_count: 0,
        progress_percentage: 100,
        completed_at: expect.any(String),
      },
    ],
  })

  const asked = await call(Personalize, { as: owner, body: { dataset_id, prompt: 'Hi', lead_indexes: [1] } })
  // While a personalization run is in progress the rows may be enriched; the run stays the newest session of its type.
  const enriching = await process(owner, dataset_id)
  expect(enriching.status).toBe(202)
  expect((await byType('personalization')).datasets[0]).toMatchObject({
    session_id: asked.body.run_id,
    status: 'queued',
    leads_count: 1,
  })
  expect((await byType('enrichment')).datasets[0]).toMatchObject({ session_id: enriching.body.session_id })
  const sessions = await call(ListDatasetSessions, { as: owner, params: { dataset_id } })
  expect(sessions.body.items.map((one) => one.session_id)).toEqual([
    enriching.body.session_id,
    asked.body.run_id,
    session_id,
  ])
})

test('a personalization is cancelled as a session, and has nothing to be undone', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 2)
  const { session_id } = (
    await process(owner, dataset_id, { pipeline_type: 'personalization', prompt: 'Be brief' })
  ).body
  const params = { dataset_id, session_id }
  const cancelled = await call(CancelDatasetSession, { as: owner, params })
  expect([cancelled.status, cancelled.body.status]).toEqual([200, 'cancelled'])
  const run = await call(ReadPersonalizationRun, { as: owner, params: { run_id: session_id } })
  expect(run.body.status).toBe('cancelled')
  expect((await call(CancelDatasetSession, { as: owner, params })).status).toBe(409)
  expect((await call(UndoDatasetSession, { as: owner, params })).error.detail).toBe('invalid_state')
  await db.personalizationRun.delete({ where: { run_id: session_id } })
  expect((await call(ReadDatasetSession, { as: owner, params })).status).toBe(404)
})

test('one session at a time: 409 for a second, for cancelling what is over, and for undoing what runs', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  const both = await Promise.all([process(owner, dataset_id), process(owner, dataset_id)])
  expect(both.map(({ status }) => status).toSorted()).toEqual([202, 409])
  expect(both.find(({ status }) => status === 409)?.error.detail).toBe('dataset_busy')
  const session_id = both.find(({ status }) => status === 202)?.body.session_id ?? ''
  const params = { dataset_id, session_id }
  expect((await call(UndoDatasetSession, { as: owner, params })).error.detail).toBe('invalid_state')
  const cancelled = await call(CancelDatasetSession, { as: owner, params })
  expect(cancelled).toMatchObject({ status: 200, body: { status: 'cancelled' } })
  await carryOut(session_id)
  expect((await rowsOf(owner, dataset_id))[0]?.data).toEqual(LEADS[0])
  expect((await call(CancelDatasetSession, { as: owner, params })).error.detail).toBe('invalid_state')
  expect((await process(owner, dataset_id)).status).toBe(202)
  const { body } = await call(ListDatasetSessions, { as: owner, params: { dataset_id } })
  expect(body.items.map(({ status }) => status)).toEqual(['queued', 'cancelled'])
})

test.each([
  ['no pipeline', {}],
  ['personalization', { pipeline_type: 'personalization' }],
  ['an unknown rule', { pipeline_type: 'enrichment', options: { rules: ['magic'] } }],
  ['no rule', { pipeline_type: 'enrichment', options: { rules: [] } }],
  ['an unknown provider', { pipeline_type: 'enrichment', options: { providers: ['nobody'] } }],
  ['a negative budget', { pipeline_type: 'enrichment', options: { max_cost: -1 } }],
  ['no column', { pipeline_type: 'extraction', options: { columns: [] } }],
])('422 for %s, and nothing is queued', async (_, body) => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  expect((await process(owner, dataset_id, body)).status).toBe(422)
  expect(await db.datasetSession.count({ where: { dataset_id } })).toBe(0)
})

test('409 where there are no rows, and nobody else has a provider', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 0)
  expect((await process(owner, dataset_id)).error.detail).toBe('dataset_empty')
  const { body } = await call(ListEnrichmentProviders, { as: owner, params: { dataset_id } })
  expect(body).toMatchObject({ items: [], total: 0 })
})

test('an export tells on request which session gave a cell, out of what, and how sure it was', async () => {
  const owner = await aUser()
  const { dataset_id, session_id, params } = await enriched(owner)
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  const read = async (query: string) =>
    (await knock('GET', `/datasets/${dataset_id}/export${query}`, { headers: { authorization } })).text()
  const columnsOf = (csv: string) => csv.split('\r\n')[0]?.split(',') ?? []
  expect(await read('')).not.toContain('(source)')
  const csv = await read('?sources=true')
  const [first] = columnsOf(csv).filter((name) => name.endsWith('(source)'))
  expect(first).toBeDefined()
  const [change] = (await changesOf(owner, dataset_id, { lead_index: 0 })).items
  expect(csv).toContain(
    `enrichment: ${change?.rule} from ${change?.source}, ${change?.certainty}, session ${session_id}`,
  )
  // The column with the source follows the column that it belongs to.
  const names = columnsOf(csv)
  for (const [at, name] of names.entries())
    if (name.endsWith(' (source)')) expect(names[at - 1]).toBe(name.replace(' (source)', ''))
  // A value that somebody typed over it has no source.
  const { field, rule } = change ?? { field: '', rule: '' }
  await call(EditDatasetRow, {
    as: owner,
    params: { dataset_id, lead_index: '0' },
    body: { data: { [field]: 'By hand' } },
  })
  const told = (text: string) => text.split(`enrichment: ${rule} from`).length
  expect(told(await read('?sources=true'))).toBe(told(csv) - 1)
  await call(UndoDatasetSession, { as: owner, params })
  expect(await read('?sources=true')).not.toContain(session_id)
})
