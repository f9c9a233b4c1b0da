import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import {
  dateTime,
  editedVersion,
  id,
  listEnvelope,
  paging,
  pathId,
  sortBy,
  text,
  version,
} from '#lib/contracts/fields'
import { DOMAIN_STATUSES } from '#lib/domain/domains/domain-status'
import { FURTHER_CHECKS, FURTHER_STATES } from '#lib/domain/domains/further-checks'
import { PLACEMENTS } from '#lib/domain/domains/placement'
import { RECIPIENT_PROVIDERS } from '#lib/domain/domains/recipient-provider'
import { RECORD_STATES } from '#lib/domain/domains/record-check'
import { INBOX_PROVIDERS, VERDICTS } from '#lib/domain/domains/requirements'
import { RECORD_PURPOSES, RECORD_TYPES } from '#lib/domain/domains/setup-records'
import { bothWays } from '#lib/domain/text/row-order'

const part = {
  status: z
    .enum(['pending', ...RECORD_STATES, 'not_used'])
    .describe('pending: not checked yet. not_used: this instance does not use it. The setup has details.'),
  checked_at: dateTime().nullable().describe('When DNS last answered.'),
}
const Part = z.object(part)

export const MailDomain = z
  .object({
    domain_id: id(),
    domain: z.string().describe('Lower case, in punycode.'),
    status: z
      .enum(DOMAIN_STATUSES)
      .describe('verified: every required record is found. A failed DNS query changes nothing.'),
    dkim_selector: z.string().describe('Of the current signing key.'),
    dkim_next_selector: z.string().nullable().describe('Of the next key, once its record is found.'),
    spf: Part,
    dkim: Part,
    dmarc: Part,
    mx: Part,
    tracking: Part,
    reports: Part.describe('The host for report links: `reports.` plus the domain.'),
    return_path: z
      .object({ ...part, enabled: z.boolean().describe('Bounces go to a signed address on this host.') })
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
        'The full value. For SPF, merged with the existing record. Empty if there is nothing to point to.',
      ),
    ttl_seconds: z.int(),
    required: z.boolean(),
    status: z.enum(RECORD_STATES),
    found: z.array(z.string()).describe('The current value.'),
    strings: z.array(z.string()).describe('A TXT value as strings of at most 255 characters.'),
    zone_line: z.string().describe('The record as a zone file line.'),
    note: z.string().nullable(),
    checked_at: dateTime().nullable(),
    failure: z
      .string()
      .nullable()
      .describe('Why DNS did not answer at the last check. The values are then from an earlier check.'),
  })
  .meta({ id: 'DomainSetupRecord' })
export type SetupRecord = z.output<typeof SetupRecord>

export const DomainSetup = z
  .object({
    domain_id: id(),
    domain: z.string(),
    records: z.array(SetupRecord),
    ready: z.boolean().describe('Whether every required record was found.'),
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
    further: z
      .array(z.object({ id: z.enum(FURTHER_CHECKS), state: z.enum(FURTHER_STATES), detail: z.string() }))
      .describe(
        'Checks no provider requires: MTA-STS, TLS-RPT, BIMI, the tracking host’s certificate, and blocklists if the instance checks any. absent: not set up, which is fine.',
      ),
    mailboxes: z.array(
      z.object({
        mailbox_id: id(),
        address: z.string(),
        alignment: z.object({
          spf: z.boolean(),
          dkim: z.boolean(),
          dmarc: z.boolean().describe('Either one is enough.'),
          reason: z.string(),
        }),
        seen: z
          .array(
            z.object({
              provider: z.enum(RECIPIENT_PROVIDERS),
              placement: z.enum(PLACEMENTS),
              spf: z.string().nullable(),
              dkim: z.string().nullable().describe('The best of its signatures.'),
              dmarc: z.string().nullable(),
              arrived_at: dateTime(),
            }),
          )
          .describe('How each provider treated the last placement test that arrived there.'),
      }),
    ),
  })
  .meta({ id: 'DomainRequirements' })
export type DomainRequirements = z.output<typeof DomainRequirements>

const params = z.object({ domain_id: pathId() })
const common = { tag: 'Domains', errors: 'flat' } as const

export const DOMAIN_SORTS = bothWays(['domain', 'status', 'checked_at', 'next_check_at'])

export const ListDomains = contract({
  id: 'listDomains',
  method: 'GET',
  path: '/mail/domains',
  ...common,
  summary: 'List mail domains',
  description: 'Newest first, unless `sort` sets another order.',
  query: z.object({ sort: sortBy(DOMAIN_SORTS), ...paging }),
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
    'Creates a DKIM key. `/mail/domains/{domain_id}/setup` returns the records to publish. Umlauts become punycode. Addresses, local names, public suffixes and mail providers’ own domains are refused.',
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
    'The DNS records to publish, with their current values as of the last check. Before the first check, DNS is queried immediately, because an existing SPF record must be extended. There must not be a second one.',
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
  summary: 'Check the requirements of Gmail, Yahoo and Outlook',
  description:
    'Each requirement for bulk senders, whether this domain meets it, why, and a link to the provider’s rules; and for each mailbox, whether its emails are aligned.',
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
    '`bounce_address`: bounces go to signed addresses at bounce.<domain>, once both its records are found. Use it with mail servers that permit a MAIL FROM other than the mailbox’s own.',
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
  summary: 'Verify a mail domain now',
  description:
    'At most six times a minute per domain. Opener also checks automatically: often at first, then daily.',
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
    'Creates a second key. The first keeps signing until the record of the second is found in DNS. Then the second signs; keep the record of the first for seven more days. A key whose record was never found is replaced immediately. 409 `rotation_under_way` if a rotation is already waiting.',
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
    'Deletes its keys; its mailboxes then send unsigned emails. 409 `domain_in_use` while a scheduled or running campaign sends from one of them.',
  params,
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404, 409],
  destructive: true,
})
