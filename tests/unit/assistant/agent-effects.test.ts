import { expect, test } from 'vitest'
import type { z } from 'zod'
import { describeEffect, SUBJECTS } from '#lib/agent/effects'
import type { Toolbox } from '#lib/agent/toolbox'
import { contracts } from '#lib/contracts/all'

const known = (name: string) => contracts.find(({ id }) => id === name)

test.each(Object.entries(SUBJECTS))('%s is read by what answers its name', (argument, [operation, field]) => {
  const params = known(operation)?.params as z.ZodObject
  const response = known(operation)?.response as z.ZodObject
  const key = operation === 'readConnectedAccount' ? 'account_id' : argument
  expect(Object.keys(params.shape)).toEqual([key])
  expect(Object.keys(response.shape)).toContain(field)
})

const toolbox = (rows: Record<string, Record<string, unknown>>): Toolbox => ({
  operations: contracts.map(({ id, summary }) => ({
    name: id,
    summary,
    description: '',
    reads: false,
    sends: false,
    input: {},
  })),
  check: () => {},
  preview: async () => ({}),
  content: async () => null,
  call: async (name) => {
    const row = rows[name]
    if (!row) throw new Error('not found')
    return row
  },
  refusal: () => ({}),
  report: () => {},
})

const signal = new AbortController().signal
const campaign = { name: 'Spring', total_leads: 300, processed_leads: 86, timezone: 'Europe/Berlin' }

test('a resumption says who goes on, what comes, and what is odd about it', async () => {
  const preview = {
    forecastCampaign: {
      total_actions: 214,
      first_at: '2026-11-23T08:00:00Z',
      finish_at: '2026-12-04T15:30:00Z',
      timezone: 'Europe/Berlin',
      warnings: [{ code: 'x', message: 'No sender is connected.' }],
    },
  }
  const call = { operation: 'resumeCampaign', arguments: { campaign_id: 'c' } }
  expect(await describeEffect(toolbox({ readCampaign: campaign }), call, preview, signal)).toEqual({
    title: 'Resume “Spring”: 214 leads continue.',
    sentences: [
      '214 actions to come: the next Mon 23 Nov, 09:00 (Europe/Berlin), the last Fri 4 Dec, 16:30 (Europe/Berlin).',
      'No sender is connected.',
    ],
    fields: [],
  })
})

test('one lead goes on alone', async () => {
  const rows = { readCampaign: { ...campaign, processed_leads: 299 } }
  const call = { operation: 'resumeCampaign', arguments: { campaign_id: 'c' } }
  expect((await describeEffect(toolbox(rows), call, {}, signal)).title).toBe(
    'Resume “Spring”: 1 lead continues.',
  )
})

test('a launch names what stands in its way', async () => {
  const preview = { readLaunchChecks: { blocks: [{ message: 'It has no steps.' }] } }
  const call = { operation: 'launchCampaign', arguments: { campaign_id: 'c' } }
  const { sentences } = await describeEffect(toolbox({ readCampaign: campaign }), call, preview, signal)
  expect(sentences).toEqual(['In the way: It has no steps.'])
})

test('whatever else is told by its summary, its row and its arguments', async () => {
  const call = {
    operation: 'updateCampaign',
    arguments: { campaign_id: 'c', daily_limit: 20, send_days: ['mon', 'tue'], description: null },
  }
  expect(await describeEffect(toolbox({ readCampaign: campaign }), call, {}, signal)).toEqual({
    title: 'Change a campaign: “Spring”.',
    sentences: [],
    fields: [
      { label: 'Daily limit', value: '20' },
      { label: 'Send days', value: 'mon, tue' },
      { label: 'Description', value: 'none' },
    ],
  })
})

test('a row that cannot be read leaves its id among the arguments', async () => {
  const call = { operation: 'deleteTemplate', arguments: { template_id: 'gone' } }
  const effect = await describeEffect(toolbox({}), call, {}, signal)
  expect(effect.fields).toEqual([{ label: 'Template id', value: 'gone' }])
  expect(effect.title).not.toContain('“”')
})

test('a change of a campaign says what becomes of what, for whom, and what it does to the plan', async () => {
  const preview = {
    dry_run: {
      changes: [
        { what: 'Step 2: Waits', before: '1 day', after: '9 days', leads: 3 },
        { what: 'Name', before: 'Spring', after: 'Summer', leads: 0 },
      ],
      forecast_before: { total_actions: 3, finish_at: '2026-11-24T09:00:00.000Z', timezone: 'UTC' },
      forecast_after: { total_actions: 3, finish_at: '2026-12-02T09:00:00.000Z', timezone: 'UTC' },
    },
  }
  const call = { operation: 'updateCampaign', arguments: { campaign_id: 'x' } }
  const effect = await describeEffect(toolbox({ readCampaign: campaign }), call, preview, signal)
  expect([effect.title, ...effect.sentences]).toEqual([
    'Change a campaign: “Spring”.',
    'Step 2: Waits: “1 day” becomes “9 days”, for 3 leads.',
    'Name: “Spring” becomes “Summer”.',
    '3 actions to come instead of 3, the last Wed 2 Dec, 09:00 (UTC) instead of Tue 24 Nov, 09:00 (UTC).',
  ])
})

test.each([
  [
    'replyInInbox',
    { text: 'Fine.', cc: ['bob@own.test'], bcc: ['crm@own.test'] },
    ['Send this answer to Ann in “Prices”, at once.', 'Copies go to bob@own.test, crm@own.test.'],
  ],
  ['replyInInbox', { text: 'Fine.', cc: [] }, ['Send this answer to Ann in “Prices”, at once.']],
  [
    'forwardInInbox',
    { to: 'eve@own.test', bcc: ['crm@own.test'] },
    [
      'Forward a message of “Prices” to eve@own.test, with what it says and its attachments, at once.',
      'Copies go to crm@own.test.',
    ],
  ],
])('%s with %j says to whom it goes', async (operation, given, [title, ...sentences]) => {
  const preview = { readInboxThread: { counterpart_name: 'Ann', subject: 'Prices' } }
  const call = { operation, arguments: { thread_id: 't', ...given } }
  expect(await describeEffect(toolbox({}), call, preview, signal)).toMatchObject({ title, sentences })
})
