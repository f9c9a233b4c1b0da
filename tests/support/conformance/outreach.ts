import { expect } from 'vitest'
import { db } from '#lib/db/client'
import type { Endpoint } from '#tests/support/conformance/endpoint'
import { CAMPAIGN, DATASET, SENDER_PROFILE, TEMPLATE } from '#tests/support/conformance/resources'
import { aCampaign, aDataset, aMailbox, aTemplate } from '#tests/support/scenes/factories'

const long = (length: number) => 'x'.repeat(length)

const leads = new File(['email,first_name\nann@example.com,Ann\n'], 'leads.csv', { type: 'text/csv' })

/** Many programs read these as numbers, but they are no valid integers: those consist of decimal digits only. */
const NO_INTEGERS = ['1e1', '0x2', ' 1', '1 ', '+2', '1.0', '١', '']

/** The list parameters page and page_size, with their limits. */
const PAGED = {
  granted: [
    { query: { page: 1, page_size: 1 } },
    { query: { page: 7, page_size: 100 } },
    { query: { page: 'null', page_size: 'null' } },
  ],
  refused: [
    ...['0', '1.5', 'x', '-1', ...NO_INTEGERS].map((page) => ({ query: { page }, loc: ['query', 'page'] })),
    ...['0', '101', ...NO_INTEGERS].map((page_size) => ({
      query: { page_size },
      loc: ['query', 'page_size'],
    })),
  ],
}

/** The endpoints of campaigns, templates, datasets, sender profiles and generations, by their number in the interface document. */
export const outreach: Record<number, Endpoint> = {
  5: {
    method: 'GET',
    path: '/campaigns/',
    status: 200,
    errors: 'legacy',
    arrange: async (user) => {
      const { template_id } = await aTemplate(user)
      const variants = [{ label: 'A', weight: 1, type: 'TEMPLATE', template_id }]
      await aCampaign(user, {
        name: 'Spring offer',
        steps_config: [{ variants }, { message_template: 'Hi' }],
      })
      await aCampaign(user, { name: 'Autumn', alias_ids: [(await aMailbox(user)).mailbox_id] })
      return {}
    },
    answer: { campaigns: [CAMPAIGN], total: 'integer', page: 'integer', page_size: 'integer' },
    holds: {
      campaigns: [{ name: 'Autumn', status: 'draft', processed_leads: 0 }, {}],
      total: 2,
      page: 1,
      page_size: 20,
    },
    granted: [
      ...PAGED.granted,
      { query: { status_filter: 'draining' } },
      { query: { search: 'ring o' } },
      { query: { name: 'Autumn' } },
      { query: { status_filter: 'null', search: 'null', name: 'null' } },
    ],
    refused: [...PAGED.refused, { query: { status_filter: 'running' }, loc: ['query', 'status_filter'] }],
  },
  6: {
    method: 'GET',
    path: '/templates/',
    status: 200,
    errors: 'legacy',
    arrange: async (user) => {
      await aTemplate(user)
      return {}
    },
    answer: { templates: [TEMPLATE], total: 'integer' },
    holds: { templates: [{}], total: 1 },
    ...PAGED,
  },
  7: {
    method: 'PATCH',
    path: '/datasets/{dataset_id}',
    status: 200,
    errors: 'legacy',
    arrange: async (user) => ({ dataset_id: (await aDataset(user)).dataset_id }),
    valid: { body: { dataset_name: 'New name' } },
    answer: { dataset_id: 'string', dataset_name: 'string', updated_at: 'date-time' },
    holds: { dataset_name: 'New name' },
    granted: [{ body: { dataset_name: 'x' } }, { body: { dataset_name: long(255) } }],
    refused: [undefined, '', '  ', '\u00a0\n\t', long(256), 5, null].map((dataset_name) => ({
      body: { dataset_name },
      loc: ['body', 'dataset_name'],
    })),
  },
  9: {
    method: 'POST',
    path: '/sender-profiles/',
    status: 201,
    errors: 'legacy',
    valid: { body: { profile_name: 'Ann', sender_data: { any: ['thing', { goes: true }] } } },
    answer: SENDER_PROFILE,
    holds: {
      description: null,
      is_default: false,
      usage_count: 0,
      sender_data: { data: { any: ['thing', { goes: true }] } },
    },
    granted: [
      { body: { profile_name: long(100), sender_data: {}, description: long(500) } },
      { body: { profile_name: 'x', sender_data: {}, description: null, is_default: true } },
      { body: { profile_name: 'x', sender_data: {}, description: null, is_default: null } },
    ],
    refused: [
      { body: { sender_data: {} }, loc: ['body', 'profile_name'] },
      { body: { profile_name: '', sender_data: {} }, loc: ['body', 'profile_name'] },
      { body: { profile_name: ' \t', sender_data: {} }, loc: ['body', 'profile_name'] },
      { body: { profile_name: null, sender_data: {} }, loc: ['body', 'profile_name'] },
      { body: { profile_name: 'x', sender_data: null }, loc: ['body', 'sender_data'] },
      { body: { profile_name: long(101), sender_data: {} }, loc: ['body', 'profile_name'] },
      { body: { profile_name: 'x' }, loc: ['body', 'sender_data'] },
      { body: { profile_name: 'x', sender_data: 'text' }, loc: ['body', 'sender_data'] },
      { body: { profile_name: 'x', sender_data: {}, description: long(501) }, loc: ['body', 'description'] },
      { body: { profile_name: 'x', sender_data: {}, is_default: 'yes' }, loc: ['body', 'is_default'] },
    ],
  },
  11: {
    method: 'GET',
    path: '/datasets/list',
    status: 200,
    errors: 'legacy',
    arrange: async (user, ask) => {
      await aDataset(user)
      await ask('POST', '/upload/excel', { form: { file: leads } })
      return {}
    },
    answer: { datasets: [DATASET], total_count: 'integer', page: 'integer', page_size: 'integer' },
    holds: {
      datasets: [{ session_id: expect.any(String) }, { session_id: null }],
      total_count: 2,
      page: 1,
      page_size: 20,
    },
    granted: [
      ...PAGED.granted,
      { query: { pipeline_type: 'enrichment' } },
      { query: { pipeline_type: 'null', search: 'lead' } },
      { query: { search: 'null' } },
    ],
    refused: [...PAGED.refused, { query: { pipeline_type: 'other' }, loc: ['query', 'pipeline_type'] }],
  },
  12: {
    method: 'POST',
    path: '/upload/excel/preview',
    status: 200,
    errors: 'legacy',
    valid: { form: { file: leads } },
    answer: { filename: 'string', sheets: 'object', total_sheets: 'integer', message: 'string' },
    holds: { filename: 'leads.csv', total_sheets: 1 },
    refused: [
      { form: {}, loc: ['body', 'file'] },
      { form: { file: 'text' }, loc: ['body', 'file'] },
    ],
    others: [
      {
        name: 'what is no spreadsheet',
        sent: { form: { file: new File([Uint8Array.of(0, 159, 146, 150)], 'x.xlsx') } },
        status: 400,
        body: { detail: expect.any(String) },
      },
    ],
  },
  13: {
    method: 'POST',
    path: '/campaigns/{campaign_id}/pause',
    id_is_uuid: true,
    status: 200,
    errors: 'legacy',
    arrange: async (user) => {
      const { campaign_id } = await aCampaign(user)
      await db.campaign.update({ where: { campaign_id }, data: { status: 'active' } })
      return { campaign_id }
    },
    answer: CAMPAIGN,
    holds: { status: 'paused', paused_reason: 'user' },
  },
  21: {
    method: 'GET',
    path: '/personalize/generations/runs/{run_id}/leads',
    status: 200,
    errors: 'flat',
    arrange: async (user, ask) => {
      const { dataset_id } = await aDataset(user)
      const { template_id } = await aTemplate(user)
      const { run_id } = await (
        await ask('POST', '/personalize', { body: { dataset_id, template_id } })
      ).json()
      return { run_id }
    },
    answer: {
      generations: [
        {
          generation_id: 'string',
          lead_index: 'integer',
          lead_snapshot: 'object',
          status: 'pending|generated|failed|rejected',
          generated_at: 'date-time?',
          subject: 'string?',
          body: 'string?',
          error: 'string?',
        },
      ],
      total_generations: 'integer',
      offset: 'integer',
      limit: 'integer',
      has_more: 'boolean',
    },
    holds: { offset: 0, limit: 100, has_more: false },
    granted: [
      { query: { offset: 0, limit: 1 } },
      { query: { limit: 500 } },
      { query: { offset: 'null', limit: 'null' } },
    ],
    refused: [
      ...NO_INTEGERS.map((offset) => ({ query: { offset }, loc: ['query', 'offset'] })),
      ...NO_INTEGERS.map((limit) => ({ query: { limit }, loc: ['query', 'limit'] })),
      { query: { offset: -1 }, loc: ['query', 'offset'] },
      { query: { limit: 0 }, loc: ['query', 'limit'] },
      { query: { limit: 501 }, loc: ['query', 'limit'] },
    ],
  },
}
