'use server'

import { revalidatePath } from 'next/cache'
import { redirect } from 'next/navigation'
import type { BulkAnswer } from '#components/senders/connect/bulk-connect'
import type { FormResult } from '#components/ui/controls/action-form'
import type { MailboxHealth } from '#lib/contracts/senders/mailbox-health'
import type { MailVendorSetup } from '#lib/contracts/senders/mailbox-oauth'
import { AppError } from '#lib/errors'
import { resumeMailboxProvider } from '#lib/operations/senders/mailbox-health'
import * as oauth from '#lib/operations/senders/mailbox-oauth'
import * as operations from '#lib/operations/senders/mailboxes'
import { createPlacementTests } from '#lib/operations/senders/placement-tests'
import * as senderMembers from '#lib/operations/senders/sender-members'
import { action, answered, formAction, perform } from '../../action.ts'
import { formNumber, formResult, formText, formVersion } from '../../form-result.ts'

type Server = {
  host: string
  port: number | undefined
  security: string
  username: string | null
  password?: string
}

/** An empty password is omitted, which keeps the current one. */
function readServer(data: FormData, prefix: 'smtp' | 'imap'): Server {
  const password = data.get(`${prefix}.password`)
  return {
    host: formText(data, `${prefix}.host`),
    port: formNumber(data, `${prefix}.port`),
    security: formText(data, `${prefix}.security`),
    username: formText(data, `${prefix}.username`) || null,
    ...(typeof password === 'string' && password !== '' ? { password } : {}),
  }
}

function readFields(data: FormData) {
  const start = formNumber(data, 'ramp_up.start')
  return {
    name: formText(data, 'name') || null,
    signature: formText(data, 'signature') || null,
    reply_to: formText(data, 'reply_to') || null,
    smtp: readServer(data, 'smtp'),
    imap: formText(data, 'imap.host') ? readServer(data, 'imap') : null,
    daily_limit: formNumber(data, 'daily_limit'),
    min_interval_seconds: formNumber(data, 'min_interval_seconds'),
    ramp_up:
      start === undefined
        ? null
        : {
            start,
            increase_per_day: formNumber(data, 'ramp_up.increase_per_day') ?? 0,
            by_health: data.get('ramp_up.by_health') === 'on',
          },
  }
}

type Fields = ReturnType<typeof readFields>

/**
 * Defaults of empty fields, as the form's hints say: the address as user name, and the outgoing credentials
 * for incoming mail.
 */
function withLogins(address: string, fields: Fields): Fields {
  const named = (server: Server): Server =>
    server.password && !server.username ? { ...server, username: address } : server
  const smtp = named(fields.smtp)
  if (!fields.imap) return { ...fields, smtp }
  const { username, password } = fields.imap
  const imap =
    username || password
      ? named(fields.imap)
      : { ...fields.imap, username: smtp.username, password: smtp.password }
  return { ...fields, smtp, imap }
}

/** Without a server, the one known for the address is used. */
async function withServers(address: string, fields: Fields): Promise<Fields> {
  if (fields.smtp.host) return fields
  const servers = await findServers(address)
  if (!servers?.smtp) return fields
  return { ...fields, smtp: { ...fields.smtp, ...servers.smtp }, imap: servers.imap }
}

/** Null if it is no address. */
export async function findServers(address: string) {
  const result = await answered(() => perform(operations.findMailServers, { query: { address } }))
  return result.ok ? result.answer : null
}

const thisMailbox = (mailbox_id: string) => ({ params: { mailbox_id } })
const anew = '/mailboxes'

export async function createMailbox(_: FormResult | null, data: FormData): Promise<FormResult> {
  return formResult(async () => {
    const address = formText(data, 'address')
    const fields = withLogins(address, await withServers(address, readFields(data)))
    const { mailbox_id } = await perform(operations.createMailbox, { body: { address, ...fields } })
    const { ok } = await perform(operations.testMailbox, thisMailbox(mailbox_id))
    revalidatePath('/mailboxes')
    // The mailbox's page shows the error above the fields that fix it.
    redirect(ok ? '/mailboxes' : `/mailboxes/${mailbox_id}`)
  })
}

/** One row per mailbox; returns the result of each. */
export async function connectMailboxes(_: BulkAnswer, data: FormData): Promise<BulkAnswer> {
  const file = data.get('file')
  if (!(file instanceof File) || file.size === 0) return { problem: 'Choose a CSV file.' }
  if (file.size > 500_000) return { problem: 'The file is larger than 500 KB.' }
  const csv = await file.text()
  const tried = await answered(() => perform(operations.connectMailboxes, { body: { csv } }))
  if (!tried.ok) return { problem: tried.message }
  revalidatePath('/mailboxes')
  return { answer: tried.answer }
}

/** A typed sending address also counts as one of the mailbox's own. */
function readAddresses(data: FormData) {
  const send_as = formText(data, 'send_as').toLowerCase() || null
  if (!data.has('aliases')) return { send_as }
  const written = formText(data, 'aliases')
    .split(/[\s,;]+/)
    .filter(Boolean)
  const aliases = send_as ? [...new Set([...written, send_as])] : written
  return { send_as, aliases }
}

/** A mailbox with OAuth uses its vendor's servers, so its form has no server fields. */
function withoutServers(data: FormData) {
  const { smtp, imap, ...read } = readFields(data)
  // The form has this field only if copies are stored by Opener.
  const sent = data.has('sent_folder') && {
    save_sent: data.get('save_sent') === 'on',
    sent_folder: formText(data, 'sent_folder') || null,
  }
  const fields = { ...read, ...sent, ...readAddresses(data) }
  return data.has('smtp.host') ? { ...fields, smtp, imap } : fields
}

export const updateMailbox = formAction(
  operations.updateMailbox,
  (data, mailbox_id: string) => ({
    ...thisMailbox(mailbox_id),
    body: { ...withoutServers(data), version: formVersion(data) },
  }),
  { anew, said: 'Mailbox saved.' },
)

export const deleteMailbox = action(operations.deleteMailbox, thisMailbox, {
  anew,
  said: 'Mailbox removed.',
})

export const testMailbox = action(operations.testMailbox, thisMailbox, {
  anew,
  said: ({ ok, error }) => {
    if (ok) return 'The connection works.'
    throw new AppError('provider_rejected', { message: `The test failed: ${error}` })
  },
})

export const resumeProvider = action(
  resumeMailboxProvider,
  (mailbox_id: string, provider: MailboxHealth['providers'][number]['provider']) => ({
    params: { mailbox_id },
    body: { provider },
  }),
  { anew, said: 'Emails to this provider resume.' },
)

export const startPlacementTests = formAction(
  createPlacementTests,
  (data, mailbox_id: string) => ({
    ...thisMailbox(mailbox_id),
    body: { seed_mailbox_ids: data.getAll('seed_mailbox_ids') },
  }),
  {
    anew,
    said: ({ items }) => {
      const failed = items.filter(({ state }) => state === 'not_sent').length
      if (failed === 0) return 'Test sent. The result appears here within minutes.'
      throw new AppError('provider_rejected', { message: `${failed} of ${items.length} could not be sent.` })
    },
  },
)

/** Leads to the vendor's sign-in page for a new mailbox. */
export const connectByOAuth = formAction(
  oauth.authorizeMailbox,
  (data, vendor: MailVendorSetup['vendor']) => ({
    body: { vendor, address: formText(data, 'address') || null },
  }),
  { to: ({ url }) => url },
)

/** The same for an existing mailbox. */
export const reconnectByOAuth = action(
  oauth.authorizeMailbox,
  (vendor: MailVendorSetup['vendor'], mailbox_id: string, route?: MailVendorSetup['route']) => ({
    body: { vendor, mailbox_id, ...(route && { route }) },
  }),
  { to: ({ url }) => url },
)

const thisMember = (mailbox_id: string, user_id: string) => ({ params: { mailbox_id, user_id } })

export const giveMailbox = formAction(
  senderMembers.giveMailbox,
  (data, mailbox_id: string) => thisMember(mailbox_id, formText(data, 'user_id')),
  { anew, said: ({ name }) => `${name} can send from this mailbox now.` },
)

export const takeMailbox = action(senderMembers.takeMailbox, thisMember, {
  anew,
  said: 'Access to the mailbox removed.',
})

/** A mailbox whose mail never leaves this machine. */
export async function connectSandboxMailbox(): Promise<FormResult> {
  return formResult(async () => {
    const { address, mailbox_id } = await perform(operations.connectSandboxMailbox)
    await perform(operations.testMailbox, thisMailbox(mailbox_id))
    revalidatePath('/', 'layout')
    return `${address} is connected. Its emails stay in the sandbox.`
  })
}
