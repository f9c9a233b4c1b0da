import { expect, test } from 'vitest'
import { z } from 'zod'
import { CreateCampaign, UpdateCampaign } from '#lib/contracts/campaigns/campaigns'
import { ProcessDataset } from '#lib/contracts/enrichment/dataset-sessions'
import { withoutNulls } from '#lib/http/absent'
import { parseInput } from '#lib/http/parse'
import { operations } from '#lib/operations/all'

const DATASET = '01900000-0000-7000-8000-000000000000'
const contracts = operations.map(({ contract }) => contract)

test('null is absent wherever a field may be, however deep', () => {
  const given = { name: 'Hi', dataset_id: DATASET, daily_limit: null, type: null, timezone: null }
  const variants = [{ label: 'A', type: null, weight: null, template_id: null }]
  const steps_config = [
    { delay_days: null, condition: null, subject: null, message_template: 'Hi', variants },
  ]
  const body = withoutNulls(CreateCampaign.body, { ...given, steps_config })
  expect(CreateCampaign.body.parse(body)).toMatchObject({
    daily_limit: 50,
    type: 'email',
    timezone: 'UTC',
    steps_config: [{ delay_days: 0, condition: 'always', subject: null, variants: [{ weight: 1 }] }],
  })
  const process = withoutNulls(ProcessDataset.body, {
    pipeline_type: 'enrichment',
    options: { rules: null, overwrite: null },
  })
  expect(ProcessDataset.body.parse(process)).toMatchObject({ options: { overwrite: false } })
})

test('null stays where it says something, where it is missing, and in free-form objects', () => {
  expect(withoutNulls(UpdateCampaign.body, { description: null })).toEqual({ description: null })
  const schema = z.object({ needed: z.string(), free: z.record(z.string(), z.json()).optional() })
  const given = JSON.parse('{"needed":null,"free":{"a":null},"other":null,"__proto__":null}')
  expect(JSON.stringify(withoutNulls(schema, given))).toBe(JSON.stringify(given))
})

test.each(contracts.flatMap(({ id, query }) => (query ? [{ id, query: query as z.ZodObject }] : [])))(
  'each query value of $id may be null where it may be absent',
  ({ id, query }) => {
    const contract = contracts.find((one) => one.id === id)
    if (!contract) throw new Error(id)
    const optional = Object.entries(query.shape).filter(([, field]) => field.safeParse(undefined).success)
    const parsed = (nothing: unknown) => {
      const asked = {
        ...contract.example?.query,
        ...Object.fromEntries(optional.map(([name]) => [name, nothing])),
      }
      return parseInput({ ...contract, params: undefined, body: undefined } as never, {
        params: {},
        query: asked,
        body: undefined,
      }).query
    }
    expect(parsed('null')).toEqual(parsed(undefined))
  },
)

const ids = contracts.flatMap((contract) =>
  Object.keys((contract.params as z.ZodObject | undefined)?.shape ?? {}).map((name) => ({
    id: contract.id,
    name,
    field: (contract.params as z.ZodObject).shape[name] as z.ZodType,
  })),
)

test.each(ids)('$name of $id is any word: one that is no id is an id that nobody has', ({ id, field }) => {
  // The interface document declares the campaign id of pauseCampaign a uuid.
  for (const word of ['nope', '', '\0', '\ud800', 'x'.repeat(10_000)])
    expect(field.safeParse(word).success).toBe(id !== 'pauseCampaign')
})
