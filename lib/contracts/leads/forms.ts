import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  text,
  version,
} from '#lib/contracts/fields'
import { MAX_NAME_CHARS, toSlug } from '#lib/domain/datasets/columns'
import { formFieldsProblem, HONEYPOT, MAX_FORM_FIELDS } from '#lib/domain/leads/form-fields'

const MAX_ORIGINS = 20
/** The body limit of one entry in bytes: its fields with their names, in the longest form encoding. */
export const MAX_FORM_BYTES = 64 * 1024

const FormField = z.object({
  name: text(1, 60).describe('The name of the form control on your page.'),
  column: text(1, MAX_NAME_CHARS)
    .refine((name) => toSlug(name) !== '', 'has no letter or digit')
    .describe('The dataset column it fills: a key or a new name.'),
  required: z.boolean().default(false),
})

/** In the format of the `Origin` header. */
const origin = () =>
  text(1, 255)
    .refine((value) => /^https?:\/\//.test(value) && URL.canParse(value), 'must begin with https://')
    .transform((value) => new URL(value).origin)

const webAddress = () =>
  text(1, 2_000).refine(
    (value) => /^https?:\/\//.test(value) && URL.canParse(value),
    'must be an absolute address, such as https://example.com/thanks',
  )

const fields = {
  name: text(1, 100).trim().min(1).describe('Visitors never see it.'),
  fields: z
    .array(FormField)
    .min(1)
    .max(MAX_FORM_FIELDS)
    .superRefine((given, context) => {
      const problem = formFieldsProblem(given)
      if (problem) context.addIssue({ code: 'custom', message: problem })
    })
    .describe(
      `Exactly one must fill \`email\` and is always required. \`${HONEYPOT}\` is reserved for the spam trap.`,
    ),
  consent_text: text(1, 2_000).describe('What people agree to. It is kept with each entry as evidence.'),
  mail_subject: text(1, 200)
    .refine((value) => !/[\r\n]/.test(value), 'must be one line')
    .describe('For the confirmation email.'),
  mail_text: text(1, 4_000).describe(
    'For the confirmation email: plain text, followed by the link. Form input is never included.',
  ),
  mailbox_id: id()
    .nullable()
    .describe('Confirmation emails are sent from this mailbox. Null: none are sent.'),
  campaign_id: id()
    .nullable()
    .describe('A campaign on the dataset. Confirmed people also become its leads. Null: only rows.'),
  allowed_origins: z
    .array(origin())
    .max(MAX_ORIGINS)
    .transform((list) => [...new Set(list)])
    .describe('Sites the form can be on, such as `https://example.com`.'),
  redirect_url: webAddress()
    .nullable()
    .describe('Where the browser goes after submitting an HTML form. Null: a page on this instance.'),
  mails_per_day: z
    .int()
    .min(1)
    .max(5_000)
    .describe('Maximum confirmation emails per 24 hours. The rest wait.'),
  keep_days: z
    .int()
    .min(1)
    .max(30)
    .describe('How long the link is valid. Unconfirmed entries are then erased.'),
}

export const Form = z
  .object({
    form_id: id(),
    dataset_id: id(),
    name: z.string(),
    url: z.string().describe('Where the form is submitted to.'),
    fields: z.array(z.object({ name: z.string(), column: z.string(), required: z.boolean() })),
    consent_text: z.string(),
    mail_subject: z.string(),
    mail_text: z.string(),
    mailbox_id: id().nullable(),
    campaign_id: id().nullable(),
    allowed_origins: z.array(z.string()),
    redirect_url: z.string().nullable(),
    signed: z.boolean(),
    secret_hint: z.string().nullable().describe('The last four characters of the signing secret.'),
    mails_per_day: z.int(),
    keep_days: z.int(),
    confirmed: z.int().describe('Confirmed entries.'),
    unconfirmed: z.int().describe('Entries awaiting confirmation.'),
    not_added: z.int().describe('Confirmed entries that did not become rows, such as suppressed addresses.'),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
  })
  .meta({ id: 'Form' })
export type Form = z.output<typeof Form>

const WithSecret = Form.extend({
  secret: z.string().nullable().describe('`whsec_…`, shown only once. Null: the form is not signed.'),
}).meta({ id: 'FormWithSecret' })

/** Evidence that a person asked for what they receive. */
export const Consent = z
  .object({
    form_entry_id: id(),
    form_id: id().nullable().describe('Null: the form was deleted.'),
    form_name: z.string(),
    email: z.string(),
    consent_text: z.string().describe('The text when they submitted the form.'),
    origin: z.string().nullable().describe('The site the form was on. Null: signed by a server.'),
    network: z.string().nullable().describe('The IP address it was sent from, without its last part.'),
    given_at: dateTime(),
    confirmed_at: dateTime(),
    confirmed_network: z.string().nullable(),
  })
  .meta({ id: 'Consent' })
export type Consent = z.output<typeof Consent>

const common = { tag: 'Datasets', errors: 'flat' } as const
const ofDataset = z.object({ dataset_id: pathId() })
const params = ofDataset.extend({ form_id: pathId() })

export const ListForms = contract({
  ...common,
  id: 'listForms',
  method: 'GET',
  path: '/datasets/{dataset_id}/forms',
  summary: 'List a dataset’s forms',
  params: ofDataset,
  query: z.object(paging),
  response: listEnvelope(Form),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const CreateForm = contract({
  ...common,
  id: 'createForm',
  method: 'POST',
  path: '/datasets/{dataset_id}/forms',
  summary: 'Create a form',
  description:
    'A form on your own site. People who submit it get an email with a link. Once confirmed, they become a row in the dataset (or update theirs) and, with `campaign_id`, a lead. An address gets at most one such email in 24 hours. See `docs/forms.md`. The response shows the `secret` of a signed form only once. 409 `forms_full` above 50 forms.',
  params: ofDataset,
  body: z.object({
    ...fields,
    mailbox_id: fields.mailbox_id.default(null),
    campaign_id: fields.campaign_id.default(null),
    allowed_origins: fields.allowed_origins.default([]),
    redirect_url: fields.redirect_url.default(null),
    signed: z
      .boolean()
      .default(false)
      .describe(
        'Accept only posts signed by your server, as standardwebhooks.com specifies. Their origin does not matter. This cannot be changed; to replace the secret, create another form.',
      ),
    mails_per_day: fields.mails_per_day.default(200),
    keep_days: fields.keep_days.default(7),
  }),
  response: WithSecret,
  status: 201,
  scope: 'send',
  changes: ['campaign_id'],
  refusals: [404, 409],
  example: {
    body: {
      name: 'Newsletter',
      fields: [{ name: 'email', column: 'email', required: true }],
      consent_text: 'Send me the newsletter of Example Ltd.',
      mail_subject: 'Please confirm your address',
      mail_text: 'You asked for our newsletter.',
      allowed_origins: ['https://example.com'],
    },
  },
})

export const UpdateForm = contract({
  ...common,
  id: 'updateForm',
  method: 'PATCH',
  path: '/datasets/{dataset_id}/forms/{form_id}',
  summary: 'Change a form',
  description:
    'Entries keep the `consent_text` they were submitted with. `fields` is replaced as a whole. 403 `sender_not_given` if a member has no access to its mailbox.',
  params,
  body: z.object({ ...fields, version: editedVersion() }).partial(),
  response: Form,
  status: 200,
  scope: 'send',
  changes: ['campaign_id'],
  refusals: [404, 409],
})

export const DeleteForm = contract({
  ...common,
  id: 'deleteForm',
  method: 'DELETE',
  path: '/datasets/{dataset_id}/forms/{form_id}',
  summary: 'Delete a form',
  description:
    'It stops accepting entries, and unconfirmed links stop working. Rows and evidence of consent stay.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
