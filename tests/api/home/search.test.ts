import { expect, test } from 'vitest'
import { Search } from '#lib/contracts/workspaces/search'
import { db, pool } from '#lib/db/client'
import { call } from '#tests/support/call'
import {
  aCampaign,
  aDataset,
  aMailbox,
  anEnrolledLead,
  aTemplate,
  aUser,
} from '#tests/support/scenes/factories'

const find = async (owner: { workspace_id: string; user_id: string }, q?: string) =>
  (await call(Search, { as: owner, query: q === undefined ? {} : { q } })).body

test('finds a few of each kind: names by any part, leads by the beginning of their address', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, [{ email: 'grace@navy.example' }])
  await db.dataset.update({ where: { dataset_id }, data: { dataset_name: 'Navy prospects' } })
  const { campaign_id } = await aCampaign(owner, { dataset_id, name: 'Spring navy push' })
  const lead = await anEnrolledLead(owner, { campaign_id, email: 'grace@navy.example' })
  const mailbox = await aMailbox(owner, { address: 'me@navy-sender.example' })
  const template = await aTemplate(owner)
  await db.template.update({ where: { template_id: template.template_id }, data: { name: 'To the NAVY' } })
  const thread = await db.thread.create({
    data: {
      workspace_id: owner.workspace_id,
      counterpart_address: 'grace@navy.example',
      subject: 'Re: Navy',
      last_message_at: new Date(),
      last_direction: 'in',
      last_kind: 'reply',
      preview: 'Yes',
    },
  })
  expect(await find(owner, ' navy ')).toEqual({
    campaigns: [{ campaign_id, name: 'Spring navy push', status: 'active' }],
    leads: [],
    datasets: [{ dataset_id, dataset_name: 'Navy prospects', row_count: 1 }],
    templates: [{ template_id: template.template_id, name: 'To the NAVY' }],
    threads: [
      { thread_id: thread.thread_id, counterpart_address: 'grace@navy.example', subject: 'Re: Navy' },
    ],
    mailboxes: [{ mailbox_id: mailbox.mailbox_id, address: 'me@navy-sender.example', name: null }],
  })
  const byAddress = await find(owner, 'GRACE@')
  expect(byAddress.leads).toEqual([
    {
      campaign_lead_id: lead.campaign_lead_id,
      campaign_id,
      campaign_name: 'Spring navy push',
      email: 'grace@navy.example',
      status: 'active',
    },
  ])
  expect(byAddress.threads).toHaveLength(1)
  const nothing = await find(await aUser(), 'navy')
  expect(Object.values(nothing).flat()).toEqual([])
})

test('wildcards are letters, at most five of a kind come, and without words the newest', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  for (let made = 0; made < 6; made++) await aCampaign(owner, { dataset_id, name: `100% of ${made}` })
  await aCampaign(owner, { dataset_id, name: 'Other' })
  expect((await find(owner, '0%')).campaigns.map(({ name }) => name)).toEqual(
    [5, 4, 3, 2, 1].map((made) => `100% of ${made}`),
  )
  expect((await find(owner, '_')).campaigns).toEqual([])
  expect((await find(owner)).campaigns.map(({ name }) => name)[0]).toBe('Other')
  expect((await find(owner)).leads).toEqual([])
})

test('a lead is found by an index, however many there are', async () => {
  const { rows } = await pool().query<{ 'QUERY PLAN': string }>(
    `EXPLAIN SELECT campaign_lead_id FROM campaign_leads
     WHERE workspace_id = '01890000-0000-7000-8000-0000000000aa' AND email LIKE 'grace@%' LIMIT 5`,
  )
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  expect(plan).toContain('campaign_leads_workspace_id_email_idx')
  expect(plan).toMatch(/Index Cond: .*~>=~/)
})
