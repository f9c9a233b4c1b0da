import { expect, test } from 'vitest'
import { ExportCampaignLeads } from '#lib/contracts/campaign-leads'
import { issueToken } from '#lib/services/tokens'
import { knock } from '#tests/support/door'
import { aCampaign, aDataset, aUser } from '#tests/support/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/launched'

const read = async (owner: { user_id: string }, campaignId: string) => {
  const path = ExportCampaignLeads.path.replace('{campaign_id}', campaignId)
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  return knock('GET', path, { headers: { authorization } })
}

test('every lead is a line, with its row, its status and when each step left', async () => {
  const { owner, campaign_id } = await launched({}, 3)
  await dispatchAt(MONDAY)
  const response = await read(owner, campaign_id)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''.+\.csv$/)
  const [header, ...lines] = (await response.text()).trimEnd().split('\r\n')
  expect(header).toBe(
    'lead_index,email,status,current_step,next_action_at,last_event,reason,step_1_at,step_2_at,first_name,company',
  )
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(
    /^0,lead-.*,active,1,2026-03-03T10:00:00Z,sent,,2026-03-02T10:00:00Z,,Lead0,Company 0$/,
  )
})

test('a draft exports its header alone', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  const response = await read(owner, campaign_id)
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(1)
})
