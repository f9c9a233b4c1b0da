import { CreateForm } from '#lib/contracts/leads/forms'
import { db, pool } from '#lib/db/client'
import { answerForm } from '#lib/http/api/form-post'
import { sendConfirmations } from '#lib/services/leads/forms/confirmation-round'
import { formMailbox } from '#lib/services/senders/notice-mailbox'
import { call } from '#tests/support/call'
import { aDataset, aMailbox } from '#tests/support/scenes/factories'
import { aSink } from '#tests/support/scenes/smtp'

export const SITE = 'https://northwind.example'

const BODY = {
  name: 'Newsletter',
  fields: [
    { name: 'email', column: 'email', required: true },
    { name: 'first', column: 'first_name', required: false },
  ],
  consent_text: 'Send me the newsletter of Northwind.',
  mail_subject: 'Please confirm your address',
  mail_text: 'You asked for our newsletter.',
  allowed_origins: [SITE],
}

/** A form over a dataset of three leads, whose mailbox sends to a sink. */
export async function aForm(owner: { workspace_id: string; user_id: string }, fields: object = {}) {
  const sink = await aSink()
  const { mailbox_id } = await aMailbox(owner, { port: sink.port })
  const { dataset_id } = await aDataset(owner)
  const { form, status, error } = await aFormOver(owner, dataset_id, { mailbox_id, ...fields })
  return { form, status, error, sink, dataset_id, mailbox_id }
}

/** The same over an existing dataset. */
export async function aFormOver(
  owner: { workspace_id: string; user_id: string },
  dataset_id: string,
  fields: object = {},
) {
  const params = { dataset_id }
  const { body, status, error } = await call(CreateForm, { as: owner, params, body: { ...BODY, ...fields } })
  const form = { ...body, token: body.url?.split('/').at(-1) ?? '' }
  return { form, status, error }
}

/** A random client address: the rate limit counts per address, and each test is another visitor. */
export const somePlace = () =>
  `2001:db8:${crypto.randomUUID().slice(0, 4)}:${crypto.randomUUID().slice(0, 4)}::1`

type Sent = { origin?: string | null; place?: string; headers?: Record<string, string> }

/** Submits a form with JSON, as the script on a site does. */
export function post(
  token: string,
  fields: unknown,
  { origin = SITE, place = somePlace(), headers }: Sent = {},
) {
  const body = typeof fields === 'string' ? fields : JSON.stringify(fields)
  const said = { 'content-type': 'application/json', 'x-forwarded-for': place, ...headers }
  const request = new Request(`http://opener.test/forms/${token}`, {
    method: 'POST',
    headers: origin === null ? said : { ...said, origin },
    body,
  })
  return answerForm(request, token)
}

export const loadEntries = (form_id: string) =>
  db.formEntry.findMany({ where: { form_id }, orderBy: { form_entry_id: 'asc' } })

/** Sends the emails that are due then. */
export const offerAt = (now: Date) =>
  sendConfirmations({
    pool: pool(),
    mailbox: formMailbox,
    clock: () => now,
    until: new Date(now.getTime() + 60_000),
  })

/** The token in the link of an email. */
export const linkIn = (raw = ''): string =>
  /\/forms\/confirm\/([\w-]{43})/.exec(raw.replaceAll(/=\r?\n/g, ''))?.[1] ?? ''
