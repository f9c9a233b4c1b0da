import { expect, test } from 'vitest'
import { importRows } from '#lib/services/datasets/import'
import { activateCampaign, enrolLeads } from '#lib/services/launch/enrolment'
import { mcpClient } from '#tests/support/mcp'
import { aUser } from '#tests/support/scenes/factories'
import { dispatchAt } from '#tests/support/scenes/launched'

// Set before any module reads the environment: the mailbox is on this machine.
process.env.ALLOW_PRIVATE_HOSTS = '1'

const LEADS =
  'Email,First name,Company\nann@example.com,Ann,Acme\nbob@example.com,Bob,Bolt\nnobody,Nina,None\n'
const MAILBOX = {
  address: 'me@example.org',
  smtp: { host: '127.0.0.1', port: 1, security: 'none' },
  min_interval_seconds: 0,
}

test('an agent builds a campaign out of a spreadsheet and launches it, by tools alone', async () => {
  const { call } = await mcpClient(await aUser())
  const preview = (await call('previewSpreadsheet', { file: { filename: 'leads.csv', text: LEADS } })).said
  const [sheet] = Object.values<{ suggested_mapping: Record<string, string> }>(preview.sheets)
  const imported = await call('importSpreadsheet', {
    file: { filename: 'leads.csv', text: LEADS },
    mapping: sheet?.suggested_mapping,
  })
  const { dataset_id, session_id } = imported.said
  await importRows(dataset_id, session_id, new Date())
  expect((await call('readDataset', { dataset_id })).said).toMatchObject({
    status: 'completed',
    row_count: 2,
    reject_count: 1,
  })
  expect((await call('listDatasetRejects', { dataset_id })).said.items).toMatchObject([{ value: 'nobody' }])

  await call('createMailbox', MAILBOX)
  const content = { subject: 'Hello {{ first_name }}', body: 'A word about {{ company }}?' }
  const { template_id } = (await call('createTemplate', { name: 'First', content })).said
  const { campaign_id } = (
    await call('createCampaign', {
      name: 'By an agent',
      dataset_id,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      steps_config: [{ variants: [{ label: 'A', template_id }] }],
    })
  ).said
  expect((await call('readLaunchChecks', { campaign_id })).said.blocks).toEqual([])

  const asked = (await call('launchCampaign', { campaign_id })).said
  expect(asked.preview.forecastCampaign.total_actions).toBe(2)
  expect((await call('readCampaign', { campaign_id })).said.status).toBe('draft')
  const { confirmation_token } = asked
  expect((await call('launchCampaign', { campaign_id, confirmation_token })).said.status).toBe('launching')

  const now = new Date()
  await enrolLeads(campaign_id, now)
  await activateCampaign(campaign_id, now)
  const { outbox } = await dispatchAt(now)
  expect(outbox.map(({ to }) => to.address).toSorted()).toEqual(['ann@example.com', 'bob@example.com'])
  expect((await call('readCampaign', { campaign_id })).said).toMatchObject({
    status: 'completed',
    sent_count: 2,
  })
  const leads = (await call('listCampaignLeads', { campaign_id })).said.items
  expect(leads.map(({ status }: { status: string }) => status)).toEqual(['completed', 'completed'])
})
