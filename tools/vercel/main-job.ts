import { createClient } from '#lib/client/client'
import type { Client } from '#lib/client/types'
import { issueToken } from '#lib/services/workspaces/tokens'
import { until } from '#tests/support/drill/instance'
import { aUser } from '#tests/support/scenes/factories'
import { createImapServer, type ImapFolder } from '#tests/support/servers/imap'
import { createSmtpSink, type SinkMessage } from '#tests/support/servers/smtp'

const LEADS = 200
/** Enough text per lead that the file exceeds the request limit. */
const NOTES = 'x'.repeat(30_000)
const EVERY_DAY = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const

const header = (raw: string, name: string) =>
  raw
    .split('\r\n')
    .find((line) => line.toLowerCase().startsWith(`${name}: `))
    ?.slice(name.length + 2) ?? ''

function aFile(): Uint8Array<ArrayBuffer> {
  const rows = Array.from({ length: LEADS }, (_, i) => `lead-${i}@example.com,Lead ${i},${NOTES}`)
  return new TextEncoder().encode(['email,first_name,notes', ...rows].join('\n'))
}

/** Uploads the file without a function, since none accepts a file of that size. */
async function importLarge(client: Client, base_url: string, token: string, say: (line: string) => void) {
  const bytes = aFile()
  const form = new FormData()
  form.set('file', new File([bytes], 'leads.csv'))
  const headers = { authorization: `Bearer ${token}` }
  const direct = await fetch(`${base_url}/api/v1/upload/excel`, { method: 'POST', headers, body: form })
  say(`A file of ${(bytes.length / 1024 / 1024).toFixed(1)} MiB within a request: ${direct.status}`)
  const upload = await client.createUpload({ body: { filename: 'leads.csv', size_bytes: bytes.length } })
  const sent = await fetch(upload.url, { method: upload.method, headers: upload.headers, body: bytes })
  say(`The same to its address: ${sent.status}`)
  const { upload_id } = upload
  const preview = await client.previewUpload({ params: { upload_id } })
  const { dataset_id } = await client.importUpload({ params: { upload_id }, body: { dataset_name: 'Large' } })
  await until('the import', async () => {
    const { status, row_count, error } = await client.readDataset({ params: { dataset_id } })
    if (status === 'failed') throw new Error(`The import failed: ${error}`)
    return status === 'completed' && row_count === LEADS
  })
  say(`Previewed ${preview.total_sheets} sheet and imported ${LEADS} leads`)
  return dataset_id
}

async function launch(client: Client, dataset_id: string, ports: { smtp: number; imap: number }) {
  const login = { host: '127.0.0.1', security: 'none' as const }
  const { mailbox_id } = await client.createMailbox({
    body: {
      address: 'dana@example.org',
      smtp: { ...login, port: ports.smtp },
      imap: { ...login, port: ports.imap, username: 'dana', password: 'secret' },
      daily_limit: 100_000,
      min_interval_seconds: 0,
    },
  })
  const { campaign_id } = await client.createCampaign({
    body: {
      name: 'Main job',
      dataset_id,
      alias_ids: [mailbox_id],
      sending_window_start: '00:00',
      sending_window_end: '00:00',
      send_days: [...EVERY_DAY],
      min_interval_seconds: 0,
      daily_limit: 10_000,
      steps_config: [
        { subject: 'Hello {{ first_name }}', message_template: 'First' },
        { delay_days: 1, message_template: 'Second' },
      ],
    },
  })
  await client.launchCampaign({ params: { campaign_id } })
  return campaign_id
}

const replyTo = ({ raw, to }: SinkMessage) =>
  [
    `From: <${to[0]}>`,
    'To: <dana@example.org>',
    `Subject: Re: ${header(raw, 'subject')}`,
    `Message-ID: <reply-1@example.com>`,
    `In-Reply-To: ${header(raw, 'message-id')}`,
    `References: ${header(raw, 'message-id')}`,
    `Date: ${new Date().toUTCString()}`,
    '',
    'Yes, call me.',
    '',
  ].join('\r\n')

/** Imports a file, sends a campaign, receives a reply, and checks that the lead's sequence ends: all over HTTP. */
export async function playMainJob(base_url: string, say: (line: string) => void): Promise<void> {
  const inbox: ImapFolder = { uid_validity: 1, mails: [] }
  const sink = await createSmtpSink()
  const imap = await createImapServer({ INBOX: inbox })
  try {
    const { user_id } = await aUser({ tier: 'scale' })
    const token = await issueToken(user_id, new Date())
    const client = createClient({ base_url, token })
    const dataset_id = await importLarge(client, base_url, token, say)
    const campaign_id = await launch(client, dataset_id, { smtp: sink.port, imap: imap.port })
    const launched = Date.now()
    await until('all first steps', () => sink.messages.length >= LEADS)
    say(`${sink.messages.length} mails left within ${Math.round((Date.now() - launched) / 1_000)} s`)
    const [first] = sink.messages
    const lead = first?.to[0] ?? ''
    if (first) inbox.mails.push({ uid: 1, raw: replyTo(first), at: new Date() })
    const answered = Date.now()
    await until('the answer', async () => {
      const { items } = await client.listCampaignLeads({ params: { campaign_id }, query: { search: lead } })
      return items.some(({ email, status }) => email === lead && status === 'replied')
    })
    say(`${lead} answered, and its sequence ended ${Math.round((Date.now() - answered) / 1_000)} s later`)
    const recipients = new Set(sink.messages.flatMap(({ to }) => to))
    if (sink.messages.length !== LEADS || recipients.size !== LEADS)
      throw new Error(`${sink.messages.length} mails to ${recipients.size} of ${LEADS} leads.`)
    say(`Each of ${LEADS} leads has one mail, none has two`)
  } finally {
    await sink.close()
    await imap.close()
  }
}
