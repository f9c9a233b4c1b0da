import * as fs from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '#lib/client/types'
import { printNote, runWorker } from '../harness.ts'
import { MAIL_TEXT } from '../seed.ts'

/** As many as a campaign may write to in a day. */
export const LIST_ROWS = 10_000

type Supply = {
  client: Client
  folder: string
  mailboxIds: string[]
  /** Mails a second: so often a list of its rows is brought in. */
  rate: number
  until: number
}

/** Connects one mailbox for each address; all send over one server, and each is read at a port of its own. */
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
        // As with Gmail and Outlook, whose servers do so themselves.
        save_sent: false,
      },
    })
    ids.push(mailbox_id)
  }
  return ids
}

/** One list after another until the time is up: each imported, and a campaign over it launched. A list that is late holds up none. */
export async function supply(given: Supply): Promise<{ launched: number; failures: string[] }> {
  const { rate, until } = given
  const everyMs = (LIST_ROWS / rate) * 1_000
  const started = Date.now()
  const underway: Promise<void>[] = []
  const failures: string[] = []
  let launched = 0
  for (let list = 0; ; list++) {
    // The first two at once: while one is sent the next is brought in.
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

/** Its session may be read as completed a moment after its rows were counted: what it says is asked for once more then. */
async function imported(client: Client, dataset_id: string): Promise<void> {
  for (let hasEnded = false; ; ) {
    const { status, error, row_count } = await client.readDataset({ params: { dataset_id } })
    if (status === 'completed' && row_count === LIST_ROWS) return
    if (hasEnded) throw new Error(`Import ${status} with ${row_count} rows: ${error}`)
    hasEnded = status !== 'queued' && status !== 'processing'
    await sleep(1_000)
  }
}
