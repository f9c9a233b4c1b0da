import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '#lib/client/types'
import { printNote, runWorker } from '../harness.ts'
import { MAIL_TEXT } from '../seed.ts'

/** As many as a campaign may contact in a day. */
export const LIST_ROWS = 10_000

type Supply = {
  client: Client
  folder: string
  mailboxIds: string[]
  /** Mails per second, which determines how often a list is imported. */
  rate: number
  until: number
}

/** Connects one mailbox for each address; all send over one server, and each has its own IMAP port. */
export async function connectMailboxes(
  client: Client,
  addresses: string[],
  servers: { smtp: number; imap: number[] },
): Promise<string[]> {
  const server = (username: string, port = 0) => {
    const place = { host: '127.0.0.1', port, security: 'none' as const }
    return { ...place, username, password: 'soak' }
  }
  const ids: string[] = []
  for (const [index, address] of addresses.entries()) {
    const { mailbox_id } = await client.createMailbox({
      body: {
        address,
        name: 'Soak',
        smtp: server(address, servers.smtp),
        imap: server(address, servers.imap[index]),
        daily_limit: 100_000,
        min_interval_seconds: 1,
        // As with Gmail and Outlook, whose servers file sent mail themselves.
        save_sent: false,
      },
    })
    ids.push(mailbox_id)
  }
  return ids
}

/** Imports one list after another until the time is up, and launches a campaign over each. A late list does not delay the others. */
export async function supply(given: Supply): Promise<{ launched: number; failures: string[] }> {
  const { rate, until } = given
  const everyMs = (LIST_ROWS / rate) * 1_000
  const started = Date.now()
  const underway: Promise<void>[] = []
  const failures: string[] = []
  let launched = 0
  for (let list = 0; ; list++) {
    // The first two at once: while one is being sent the next is imported.
    const at = started + Math.max(0, list - 1) * everyMs
    if (at >= until) break
    await sleep(Math.max(0, at - Date.now()))
    underway.push(
      bringIn(given, list).then(
        () => {
          launched += 1
        },
        (error: unknown) => {
          failures.push(`List ${list}: ${error}`)
          printNote(`list ${list}: ${error}`)
        },
      ),
    )
  }
  await Promise.all(underway)
  return { launched, failures }
}

async function bringIn({ client, folder, mailboxIds }: Supply, list: number): Promise<void> {
  const name = `List ${list}`
  const file = path.join(folder, `list-${list}.${list % 2 === 0 ? 'xlsx' : 'csv'}`)
  await runWorker('soak/list.ts', { BENCH_LIST_FILE: file, BENCH_LIST: `${list}` })
  const content = new File([fs.readFileSync(file)], path.basename(file))
  fs.rmSync(file)
  const { dataset_id } = await client.importSpreadsheet({ body: { file: content, dataset_name: name } })
  await imported(client, dataset_id)
  const { campaign_id } = await client.createCampaign({
    body: {
      name,
      dataset_id,
      alias_ids: mailboxIds,
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'],
      min_interval_seconds: 0,
      daily_limit: LIST_ROWS,
      steps_config: [
        {
          subject: '{{ first_name }}, a word about {{ company }}',
          message_template: `${MAIL_TEXT}\n\n{{ mark }}`,
          track_opens: true,
        },
      ],
    },
  })
  await client.launchCampaign({ params: { campaign_id } })
}

/** The session may be reported as completed just before its rows are counted: then its result is read once more. */
async function imported(client: Client, dataset_id: string): Promise<void> {
  for (let hasEnded = false; ; ) {
    const { status, error, row_count } = await client.readDataset({ params: { dataset_id } })
    if (status === 'completed' && row_count === LIST_ROWS) return
    if (hasEnded) throw new Error(`Import ${status} with ${row_count} rows: ${error}`)
    hasEnded = status !== 'queued' && status !== 'processing'
    await sleep(1_000)
  }
}
