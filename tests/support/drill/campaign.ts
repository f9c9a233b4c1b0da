import type { Mailbox } from '#lib/contracts/senders/mailbox'
import { demoApi } from '#scripts/demo/api'
import { until } from '#tests/support/drill/instance'
import { MARKS } from '#tests/support/drill/sink'

/** Mailboxes of the campaign: each opens a few connections, so several keep a slow server busy. */
const MAILBOXES = 3

/** Each lead gets two mails, and a campaign sends at most 10,000 a day. */
const LEADS_PER_CAMPAIGN = 5_000

/** Launches as many campaigns as the leads need, one after the other; returns their ids. */
export async function launchDrills(dataFolder: string, smtpPort: number, leads: number): Promise<string[]> {
  const ids: string[] = []
  for (let first = 0; first < leads; first += LEADS_PER_CAMPAIGN)
    ids.push(await launchDrill(dataFolder, smtpPort, Math.min(LEADS_PER_CAMPAIGN, leads - first), first))
  return ids
}

/**
 * Imports leads, numbered from the first, and launches a campaign of two steps over them through the API, as a user does: open
 * around the clock, without pacing, the follow-up due at once. Returns its id once it is sending.
 */
export async function launchDrill(
  dataFolder: string,
  smtpPort: number,
  leads: number,
  first = 0,
): Promise<string> {
  const { client } = demoApi(dataFolder)
  const mailboxes: Mailbox[] = []
  for (let i = 1; i <= MAILBOXES; i++)
    mailboxes.push(
      await client.createMailbox({
        body: {
          address: `drill-${first + i}@example.org`,
          smtp: { host: '127.0.0.1', port: smtpPort, security: 'none' },
          daily_limit: 100_000,
          min_interval_seconds: 0,
        },
      }),
    )
  const numbers = Array.from({ length: leads }, (_, i) => first + i)
  const rows = numbers.map((i) => `lead-${i}@example.com,Lead ${i},Company ${i}`)
  const file = new File([['email,first_name,company', ...rows].join('\n')], 'drill.csv', { type: 'text/csv' })
  const { dataset_id } = await client.importSpreadsheet({ body: { file, dataset_name: 'Drill' } })
  await until('the import', async () => {
    const dataset = await client.readDataset({ params: { dataset_id } })
    if (dataset.status === 'failed') throw new Error(`The import failed: ${dataset.error}`)
    return dataset.status === 'completed' && dataset.row_count === leads
  })
  const { campaign_id } = await client.createCampaign({
    body: {
      name: 'Drill',
      dataset_id,
      alias_ids: mailboxes.map((mailbox) => mailbox.mailbox_id),
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      daily_limit: 10_000,
      steps_config: [
        { subject: 'Hello {{ first_name }}', message_template: `${MARKS[0]}` },
        { delay_days: 0, message_template: `${MARKS[1]}` },
      ],
    },
  })
  await client.launchCampaign({ params: { campaign_id } })
  await until('the campaign to send', async () => {
    const { status, launch_error } = await client.readCampaign({ params: { campaign_id } })
    if (status === 'failed') throw new Error(`The launch failed: ${launch_error}`)
    return ['active', 'draining', 'completed'].includes(status)
  })
  return campaign_id
}
