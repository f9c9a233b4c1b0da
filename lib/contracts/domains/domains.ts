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
import { DOMAIN_STATUSES } from '#lib/domain/domains/domain-status'
import { RECORD_STATES } from '#lib/domain/domains/record-check'
import { INBOX_PROVIDERS, VERDICTS } from '#lib/domain/domains/requirements'
import { RECORD_PURPOSES, RECORD_TYPES } from '#lib/domain/domains/setup-records'

const part = {
  status: z
    .enum(['pending', ...RECORD_STATES, 'not_used'])
    .describe('pending: not looked up yet. not_used: this instance has no use for it. Setup says more.'),
  checked_at: dateTime().nullable().describe('When DNS last answered.'),
}
const Part = z.object(part)

export const MailDomain = z
  .object({
    domain_id: id(),
    domain: z.string().describe('Lower case, in punycode.'),
    status: z
      .enum(DOMAIN_STATUSES)
      .describe('verified: every required record is there. A failure of DNS changes nothing.'),
    dkim_selector: z.string().describe('Of the key that signs.'),
    dkim_next_selector: z
      .string()
      .nullable()
      .describe('Of the key that follows it once its record is found.'),
    spf: Part,
    dkim: Part,
    dmarc: Part,
    mx: Part,
    tracking: Part,
    return_path: z
      .object({ ...part, enabled: z.boolean().describe('Bounces go to a signed address below this domain.') })
      .describe('The bounce address.'),
    next_check_at: dateTime(),
    version: version(),
    created_at: dateTime(),
    updated_at: dateTime(),
    verified_at: dateTime().nullable(),
  })
  .meta({ id: 'MailDomain' })
export type MailDomain = z.output<typeof MailDomain>

export const SetupRecord = z
  .object({
    purpose: z.enum(RECORD_PURPOSES),
    type: z.enum(RECORD_TYPES),
    host: z.string(),
    value: z
      .string()
      .describe(
        'The whole value; of SPF with what stands there already. Empty where there is nothing to point to.',
      ),
    ttl_seconds: z.int(),
    required: z.boolean(),
    status: z.enum(RECORD_STATES),
    found: z.array(z.string()).describe('What stands there.'),
    strings: z.array(z.string()).describe('A TXT value as strings of at most 255 characters.'),
    zone_line: z.string().describe('The record as a line of a zone file.'),
    note: z.string().nullable(),
    checked_at: dateTime().nullable(),
    failure: z
      .string()
      .nullable()
      .describe('Why DNS did not answer the last time; what is shown is older then.'),
  })
  .meta({ id: 'DomainSetupRecord' })
export type SetupRecord = z.output<typeof SetupRecord>

export const DomainSetup = z
  .object({
    domain_id: id(),
    domain: z.string(),
    records: z.array(SetupRecord),
    ready: z.boolean().describe('Whether every required record is there.'),
    instructions: z.string(),
  })
  .meta({ id: 'DomainSetup' })
export type DomainSetup = z.output<typeof DomainSetup>

export const DomainRequirements = z
  .object({
    domain_id: id(),
    domain: z.string(),
    requirements: z.array(
      z.object({
        id: z.string(),
        title: z.string(),
        status: z.enum(VERDICTS),
        reason: z.string(),
        demanded_by: z.array(z.enum(INBOX_PROVIDERS)),
        sources: z.array(z.object({ provider: z.enum(INBOX_PROVIDERS), title: z.string(), url: z.string() })),
      }),
    ),
    mailboxes: z.array(
      z.object({
        mailbox_id: id(),
        address: z.string(),
        alignment: z.object({
          spf: z.boolean(),
          dkim: z.boolean(),
          dmarc: z.boolean().describe('One of both is enough.'),
          reason: z.string(),
        }),
      }),
    ),
  })
  .meta({ id: 'DomainRequirements' })
export type DomainRequirements = z.output<typeof DomainRequirements>

const params = z.object({ domain_id: pathId() })
const common = { tag: 'Domains', errors: 'flat' } as const

export const ListDomains = contract({
  id: 'listDomains',
  method: 'GET',
  path: '/mail/domains',
  ...common,
  summary: 'List mail domains',
  query: z.object(paging),
  response: listEnvelope(MailDomain),
  status: 200,
  scope: 'read',
})

export const CreateDomain = contract({
  id: 'createDomain',
  method: 'POST',
  path: '/mail/domains',
  ...common,
  summary: 'Add a mail domain',
  description:
    'Makes a DKIM key for it. `/mail/domains/{domain_id}/setup` has the records to publish. Umlauts become punycode; addresses, local names, public suffixes and mail providers’ own domains are refused.',
  body: z.object({ domain: text(1, 253) }),
  response: MailDomain,
  status: 201,
  scope: 'write',
  refusals: [409],
})

export const ReadDomain = contract({
  id: 'readDomain',
  method: 'GET',
  path: '/mail/domains/{domain_id}',
  tag: 'Domains',
  errors: 'legacy',
  summary: 'Read a mail domain',
  params,
  response: MailDomain,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const ReadDomainSetup = contract({
  id: 'readDomainSetup',
  method: 'GET',
  path: '/mail/domains/{domain_id}/setup',
  tag: 'Domains',
  errors: 'legacy',
  summary: 'Domain setup information',
  description:
    'The DNS records to publish, with what stands there as of the last check. Before the first check DNS is asked at once, since an SPF record that exists has to be extended and never joined by a second.',
  params,
  response: DomainSetup,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const ReadDomainRequirements = contract({
  id: 'readDomainRequirements',
  method: 'GET',
  path: '/mail/domains/{domain_id}/requirements',
  ...common,
  summary: 'What Gmail, Yahoo and Outlook demand',
  description:
    'Each demand they make of bulk senders, whether this domain meets it, why, and where they say so; and of each mailbox whether its mail is aligned.',
  params,
  response: DomainRequirements,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const UpdateDomain = contract({
  id: 'updateDomain',
  method: 'PATCH',
  path: '/mail/domains/{domain_id}',
  ...common,
  summary: 'Change a mail domain',
  description:
    '`bounce_address`: bounces of this domain’s mail go to signed addresses at bounce.<domain>, once both its records are found. For mail servers that permit another MAIL FROM than the mailbox’s own.',
  params,
  body: z.object({ bounce_address: z.boolean(), version: editedVersion() }).partial(),
  response: MailDomain,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const VerifyDomain = contract({
  id: 'verifyDomain',
  method: 'POST',
  path: '/mail/domains/{domain_id}/verify',
  ...common,
  summary: 'Look a mail domain’s records up now',
  description:
    'At most six times a minute and domain. It is looked up by itself too: often at first, then daily.',
  params,
  response: MailDomain,
  status: 200,
  scope: 'write',
  refusals: [404],
})

export const RotateDomainKey = contract({
  id: 'rotateDomainKey',
  method: 'POST',
  path: '/mail/domains/{domain_id}/dkim/rotate',
  ...common,
  summary: 'Replace the DKIM key of a mail domain',
  description:
    'Makes a second key. The first goes on signing until the record of the second is found in DNS; then the second signs, and the record of the first should stay for seven days. A key whose record was never found is replaced at once. 409 `rotation_under_way` while one waits already.',
  params,
  response: MailDomain,
  status: 200,
  scope: 'write',
  refusals: [404, 409],
})

export const DeleteDomain = contract({
  id: 'deleteDomain',
  method: 'DELETE',
  path: '/mail/domains/{domain_id}',
  ...common,
  summary: 'Remove a mail domain',
  description:
    'Its keys are deleted, and its mailboxes send unsigned mail. 409 `domain_in_use` while a campaign that is under way sends from one of them.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})
