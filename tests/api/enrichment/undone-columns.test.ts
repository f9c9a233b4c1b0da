import { expect, test } from 'vitest'
import { EditDatasetRow } from '#lib/contracts/datasets/dataset-rows'
import { ReadDataset } from '#lib/contracts/datasets/datasets'
import { UndoDatasetSession } from '#lib/contracts/enrichment/dataset-sessions'
import { db } from '#lib/db/client'
import { call } from '#tests/support/call'
import { enriched, process } from '#tests/support/scenes/enriched'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { carryOut } from '#tests/support/scenes/pipeline'

type User = Awaited<ReturnType<typeof aUser>>

const keysOf = async (owner: User, dataset_id: string) =>
  (await call(ReadDataset, { as: owner, params: { dataset_id } })).body.columns.map(({ key }) => key)

const LEADS = [
  { email: 'ada@acme.com', full_name: 'Ada Lovelace', company: 'ACME, Inc.', country: 'Germany' },
]

test('columns that a session added go with its undo', async () => {
  const owner = await aUser()
  const before = ['email', 'full_name', 'company', 'country']
  const { dataset_id, params } = await enriched(owner, LEADS)
  expect(await keysOf(owner, dataset_id)).toEqual(
    expect.arrayContaining([...before, 'first_name', 'timezone']),
  )
  const { body } = await call(UndoDatasetSession, { as: owner, params })
  expect(body.columns).toContainEqual({ key: 'timezone', name: 'Time zone', kept_reason: null })
  expect(body.columns.every(({ kept_reason }) => kept_reason === null)).toBe(true)
  expect(await keysOf(owner, dataset_id)).toEqual(before)
})

test('a column stays where somebody filled it since, or a step or a form uses it, and it is said why', async () => {
  const owner = await aUser()
  const { dataset_id, params } = await enriched(owner, LEADS)
  const edited = await call(EditDatasetRow, {
    as: owner,
    params: { dataset_id, lead_index: '0' },
    body: { data: { domain: 'somewhere.else' } },
  })
  expect(edited.status).toBe(200)
  await aCampaign(owner, {
    dataset_id,
    steps_config: [{ subject: 'Hello {{ first_name | default: "you" }}', message_template: 'A word.' }],
  })
  const { workspace_id } = owner
  await db.form.create({
    data: {
      workspace_id,
      dataset_id,
      name: 'Newsletter',
      token: `f-${dataset_id}`,
      fields: [{ name: 'zone', column: 'timezone', required: false }],
      consent_text: 'Yes',
      mail_subject: 'Confirm',
      mail_text: 'Confirm here.',
    },
  })
  const { body } = await call(UndoDatasetSession, { as: owner, params })
  const kept = body.columns.filter(({ kept_reason }) => kept_reason !== null)
  expect(kept.map(({ key, kept_reason }) => [key, kept_reason]).toSorted()).toEqual([
    ['domain', 'filled'],
    ['first_name', 'used_by_step'],
    ['timezone', 'used_by_form'],
  ])
  const keys = await keysOf(owner, dataset_id)
  expect(keys).toEqual(expect.arrayContaining(['domain', 'first_name', 'timezone']))
  expect(keys).not.toContain('last_name')
  // Once nothing uses the column any more, a second undo removes it.
  await db.form.deleteMany({ where: { dataset_id } })
  const again = await call(UndoDatasetSession, { as: owner, params })
  expect(again.body.columns).toContainEqual({ key: 'timezone', name: 'Time zone', kept_reason: null })
  expect(await keysOf(owner, dataset_id)).not.toContain('timezone')
})

test('a column of the file stays, however empty, and so does one that an earlier session added', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, LEADS)
  const { columns } = await db.dataset.findUniqueOrThrow({ where: { dataset_id } })
  await db.dataset.update({
    where: { dataset_id },
    data: {
      columns: [
        ...(columns as object[] as { key: string; name: string }[]),
        { key: 'timezone', name: 'Zone' },
      ],
    },
  })
  const { body: first } = await process(owner, dataset_id)
  await carryOut(first.session_id)
  const { body: second } = await process(owner, dataset_id, {
    pipeline_type: 'enrichment',
    options: { overwrite: true },
  })
  await carryOut(second.session_id)
  const later = await call(UndoDatasetSession, {
    as: owner,
    params: { dataset_id, session_id: second.session_id },
  })
  expect(later.body.columns).toEqual([])
  expect(await keysOf(owner, dataset_id)).toContain('first_name')
  await call(UndoDatasetSession, { as: owner, params: { dataset_id, session_id: first.session_id } })
  const keys = await keysOf(owner, dataset_id)
  expect(keys).toContain('timezone')
  expect(keys).not.toContain('first_name')
})
