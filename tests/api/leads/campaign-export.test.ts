import { expect, test } from 'vitest'
import { read as readWorkbook, utils } from 'xlsx'
import { ExportDataset } from '#lib/contracts/datasets/datasets'
import { ExportCampaignLeads } from '#lib/contracts/leads/campaign-leads'
import { db } from '#lib/db/client'
import { issueToken } from '#lib/services/workspaces/tokens'
import { knock } from '#tests/support/door'
import { aCampaign, aDataset, aUser } from '#tests/support/scenes/factories'
import { dispatchAt, launched, MONDAY } from '#tests/support/scenes/launched'

const get = async (owner: { workspace_id: string; user_id: string }, path: string) => {
  const authorization = `Bearer ${await issueToken(owner.user_id, new Date())}`
  return knock('GET', path, { headers: { authorization } })
}
const read = (owner: { workspace_id: string; user_id: string }, campaignId: string, query = '') =>
  get(owner, ExportCampaignLeads.path.replace('{campaign_id}', campaignId) + query)

/** The rows of each sheet, as a spreadsheet program reads them. */
const sheetsOf = async (response: Response): Promise<unknown[][][]> => {
  const book = readWorkbook(new Uint8Array(await response.arrayBuffer()), { dense: true })
  return Object.values(book.Sheets).map((sheet) => utils.sheet_to_json(sheet, { header: 1, defval: null }))
}

test('every lead is a line, with its row, its status and when each step left', async () => {
  const { owner, campaign_id } = await launched({}, 3)
  await dispatchAt(MONDAY)
  const response = await read(owner, campaign_id)
  expect(response.headers.get('content-type')).toBe('text/csv; charset=utf-8')
  expect(response.headers.get('content-disposition')).toMatch(/^attachment; filename\*=UTF-8''.+\.csv$/)
  const [header, ...lines] = (await response.text()).trimEnd().split('\r\n')
  expect(header).toBe(
    'lead_index,email,status,current_step,next_action_at,last_event,reason,reason_detail,waits_why,waits_for,waits_until,step_1_at,step_2_at,first_name,company',
  )
  expect(lines).toHaveLength(3)
  expect(lines[0]).toMatch(
    /^0,lead-.*,active,1,2026-03-03T10:00:00Z,sent,,,,,,2026-03-02T10:00:00Z,,Lead0,Company 0$/,
  )
})

test('of more leads than are read at once none is left out or written twice', async () => {
  const LEADS = 4_001
  const { owner, campaign_id } = await launched({}, LEADS)
  const lines = (await (await read(owner, campaign_id)).text()).trimEnd().split('\r\n').slice(1)
  expect(lines.map((line) => Number(line.split(',')[0]))).toEqual(Array.from({ length: LEADS }, (_, n) => n))
})

test('of a campaign that has no step any more each lead is still one line', async () => {
  const { owner, campaign_id } = await launched({}, 3)
  await dispatchAt(MONDAY)
  await db.campaign.update({ where: { campaign_id }, data: { steps_config: [] } })
  const [header, ...lines] = (await (await read(owner, campaign_id)).text()).trimEnd().split('\r\n')
  expect(header).not.toContain('step_1')
  expect(lines).toHaveLength(3)
})

test('a draft exports its header alone', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner)
  const { campaign_id } = await aCampaign(owner, { dataset_id })
  const response = await read(owner, campaign_id)
  expect((await response.text()).trimEnd().split('\r\n')).toHaveLength(1)
})

test('the same as a workbook: numbers are numbers, and text is text', async () => {
  const { owner, campaign_id } = await launched({}, 3)
  await dispatchAt(MONDAY)
  const response = await read(owner, campaign_id, '?format=xlsx')
  expect(response.headers.get('content-type')).toContain('spreadsheetml.sheet')
  expect(response.headers.get('content-disposition')).toMatch(/\.xlsx$/)
  const [rows] = await sheetsOf(response)
  expect(rows).toHaveLength(4)
  expect(rows?.[0]?.slice(0, 4)).toEqual(['lead_index', 'email', 'status', 'current_step'])
  expect(rows?.[2]).toEqual([
    1,
    expect.stringMatching(/^lead-/),
    'active',
    1,
    '2026-03-03T10:00:00Z',
    'sent',
    null,
    null,
    null,
    null,
    null,
    '2026-03-02T10:00:00Z',
    null,
    'Lead1',
    'Company 1',
  ])
})

test('a format that is not known is named', async () => {
  const { owner, campaign_id } = await launched({}, 1)
  const response = await read(owner, campaign_id, '?format=pdf')
  expect(response.status).toBe(422)
  expect((await response.json()).details).toMatchObject([{ loc: ['query', 'format'] }])
})

test('a dataset leaves as it stands, in both formats, whatever its cells hold', async () => {
  const owner = await aUser()
  const { dataset_id } = await aDataset(owner, 1)
  const data = {
    first_name: '=HYPERLINK("x")',
    company: 'Ä & <b> _x0041_ \u0007 "q"\nline',
    phone: '0049123',
  }
  await db.dataset.update({
    where: { dataset_id },
    data: { columns: ['first_name', 'company', 'phone'].map((key) => ({ name: key.toUpperCase(), key })) },
  })
  await db.datasetRow.updateMany({ where: { dataset_id }, data: { data } })
  const path = ExportDataset.path.replace('{dataset_id}', dataset_id)
  expect(await (await get(owner, path)).text()).toBe(
    `\uFEFFFIRST_NAME,COMPANY,PHONE\r\n"'=HYPERLINK(""x"")","Ä & <b> _x0041_ \u0007 ""q""\nline",0049123\r\n`.replace(
      '\uFEFF',
      '',
    ),
  )
  expect(await sheetsOf(await get(owner, `${path}?format=xlsx`))).toEqual([
    [['FIRST_NAME', 'COMPANY', 'PHONE'], Object.values(data)],
  ])
})

test('the filters of the list hold for its file', async () => {
  const { owner, campaign_id } = await launched({}, 12)
  const end = (status: 'replied' | 'bounced', leads: number[]) =>
    db.campaignLead.updateMany({
      where: { campaign_id, lead_index: { in: leads } },
      data: { status, next_step: null, next_action_at: null, last_event_at: MONDAY },
    })
  await end('replied', [2, 5])
  await end('bounced', [7])
  const indexesOf = async (query: string) => {
    const [header = '', ...lines] = (await (await read(owner, campaign_id, query)).text())
      .trimEnd()
      .split('\r\n')
    expect(header).toMatch(/lead_index/)
    return lines.map((line) => Number.parseInt(line, 10))
  }
  expect(await indexesOf('?status=replied')).toEqual([2, 5])
  expect(await indexesOf('?state=error')).toEqual([7])
  expect(await indexesOf('?state=paused')).toEqual([])
  const { email } = await db.campaignLead.findFirstOrThrow({ where: { campaign_id, lead_index: 1 } })
  const beginning = email?.split('@')[0]
  expect(await indexesOf(`?search=${beginning}&state=not_started`)).toEqual([1, 10, 11])
  expect(await indexesOf('?search=_')).toEqual([])
  expect(await indexesOf('?status=&state=&search=')).toHaveLength(12)
  await db.campaign.update({ where: { campaign_id }, data: { status: 'paused', paused_from: 'active' } })
  expect(await indexesOf('?state=paused')).toHaveLength(9)
})
