// npm run demo: the main job on a running instance, through the HTTP API alone: imports a messy spreadsheet and sends mail.
import { ApiError } from '#lib/client/error'
import { allItems } from '#lib/client/pages'
import type { Client } from '#lib/client/types'
import type { Campaign } from '#lib/contracts/campaigns/campaign'
import type { Dataset, DatasetReject } from '#lib/contracts/datasets/datasets'
import type { SheetPreview } from '#lib/contracts/datasets/uploads'
import { demoWorkbook } from '#lib/services/sandbox/demo-workbook'
import { demoApi } from '#scripts/demo/api'
import { bar, printLine, table } from '#scripts/demo/show'
import { explain } from '#scripts/up/trouble'

const TEMPLATES = {
  A: {
    subject: 'A thought about {{ company | default: "your team" }}',
    body: 'Hello {{ first_name | default: "there" }},\n\n{I saw|I noticed} what you do at {{ company | default: "your company" }}. Would a short call next week suit you?',
  },
  B: {
    subject: '{{ first_name | default: "Hello" }}, ten minutes next week?',
    body: 'Hi {{ first_name | default: "there" }},\n\nten minutes would show you how others in {{ city | default: "your city" }} solved it. Shall I send two dates?',
  },
}
const FOLLOW_UP =
  'Hello {{ first_name | default: "there" }},\n\n{just|only} a short reminder of my last mail.'

try {
  await play()
} catch (error) {
  const said = error instanceof ApiError ? `The API refused: ${error.message}` : null
  console.error(said ?? explain(error, process.env.DATA_DIR ?? '.data'))
  process.exit(1)
}

async function play() {
  const { client, url } = demoApi()
  const me = await client.readCurrentUser()
  printLine(`Signed in as ${me.email} at ${url}`)

  const workbook = demoWorkbook()
  const file = new File([new Uint8Array(workbook.bytes)], workbook.filename)
  const preview = await client.previewSpreadsheet({ body: { file } })
  const sheet = preview.sheets[workbook.sheet]
  if (!sheet) throw new Error(`The preview does not show the sheet ${workbook.sheet}.`)
  printLine(
    `Preview of ${workbook.filename}: ${preview.total_sheets} sheets; "${sheet.name}" has its header in row ${sheet.header_row} and ${sheet.row_count} rows below`,
  )

  const { dataset_id } = await client.importSpreadsheet({
    body: {
      file,
      sheet: sheet.name,
      mapping: JSON.stringify(sheet.suggested_mapping),
      dataset_name: `Demo ${new Date().toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })}`,
    },
  })
  const dataset = await bar<Dataset>(
    'Importing',
    () => client.readDataset({ params: { dataset_id } }),
    (now) => ({
      done: now.processed_count ?? 0,
      of: now.leads_count ?? sheet.row_count ?? 0,
      ended: now.status === 'completed' || now.status === 'failed',
    }),
  )
  if (dataset.status !== 'completed') throw new Error(`The import failed: ${dataset.error}`)
  const rejects = await allItems((query) => client.listDatasetRejects({ params: { dataset_id }, query }))

  const { campaign_id } = await launch(client, dataset)
  const ended = await bar<Campaign>(
    'Sending  ',
    () => client.readCampaign({ params: { campaign_id } }),
    (now) => ({
      done: now.sent_count,
      of: (now.total_leads ?? dataset.row_count) * 2,
      ended: ['completed', 'failed', 'paused'].includes(now.status),
    }),
  )
  await report(client, { sheet, dataset, rejects, campaign: ended })
  const looked = await addResults(client)
  if (looked) printLine(`Sample campaigns with five weeks of results: ${url}/analytics and ${url}/inbox`)
  printLine(`Every row is accounted for. Look at ${url}/campaigns/${campaign_id} and ${url}/sandbox/mail`)
}

/** Adds sample results to look at; false if they exist from an earlier demo. */
async function addResults(client: Client): Promise<boolean> {
  try {
    await client.addSamples({ body: { kind: 'history' } })
    return true
  } catch (error) {
    if (error instanceof ApiError && error.code === 'invalid_state') return false
    throw error
  }
}

/** Two steps, the first with two variants. Open all day and without pauses, so that the demo ends while one watches. */
async function launch(client: Client, dataset: Dataset): Promise<Campaign> {
  const variants = []
  for (const [label, content] of Object.entries(TEMPLATES)) {
    const { template_id } = await client.createTemplate({ body: { name: `Demo ${label}`, content } })
    variants.push({ label, weight: 50, type: 'TEMPLATE' as const, template_id })
  }
  const { name, campaign_id } = await client.createCampaign({
    body: {
      name: dataset.dataset_name,
      dataset_id: dataset.dataset_id,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      daily_limit: 10_000,
      steps_config: [{ variants }, { delay_days: 0, message_template: FOLLOW_UP }],
    },
  })
  printLine(`Campaign "${name}": 2 steps, 2 variants, ${dataset.row_count} leads`)
  return client.launchCampaign({ params: { campaign_id } })
}

type Results = { sheet: SheetPreview; dataset: Dataset; rejects: DatasetReject[]; campaign: Campaign }

/** The demo fails unless every row of the sheet is kept or refused and every lead has one mail of each step. */
async function report(client: Client, { sheet, dataset, rejects, campaign }: Results) {
  const since = campaign.launch_requested_at ?? campaign.created_at
  const kept = await allItems((query) => client.listSandboxMessages({ query }))
  const params = { campaign_id: campaign.campaign_id }
  const leads = await allItems((query) => client.listCampaignLeads({ params, query }))
  const addresses = new Set(leads.map(({ email }) => email))
  // The sample campaigns send meanwhile too.
  const mails = kept.filter((mail) => mail.received_at >= since && addresses.has(mail.rcpt_to))
  const followUps = mails.filter((mail) => mail.subject.startsWith('Re: '))
  const firsts = mails.filter((mail) => !mail.subject.startsWith('Re: '))
  const inA = firsts.filter((mail) => mail.subject.startsWith('A thought about'))
  const codes = Object.entries(Object.groupBy(rejects, (reject) => reject.code))
  table([
    ['Rows in the sheet', sheet.row_count ?? 0],
    ['  refused', rejects.length],
    ...codes.map(([code, list]): [string, number] => [`    ${code}`, list?.length ?? 0]),
    ['  kept as leads', dataset.row_count],
    ['Mails in the sandbox', mails.length],
    ['  step 1, variant A', inA.length],
    ['  step 1, variant B', firsts.length - inA.length],
    ['  step 2, in the thread', followUps.length],
    ['Leads that are done', campaign.processed_leads],
    ['Uncertain', campaign.uncertain_count],
  ])
  const wrong = [
    sheet.row_count === dataset.row_count + rejects.length || 'rows in the sheet = kept + refused',
    new Set(firsts.map((mail) => mail.rcpt_to)).size === dataset.row_count || 'one first mail for each lead',
    firsts.length === dataset.row_count || 'no lead got the first step twice',
    followUps.length === dataset.row_count || 'one follow-up for each lead',
    campaign.status === 'completed' || 'the campaign is completed',
  ].filter((check) => check !== true)
  if (wrong.length > 0) throw new Error(`Not true: ${wrong.join('; ')}.`)
}
