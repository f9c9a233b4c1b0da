import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, pathId } from '#lib/contracts/fields'

const counts = {
  messages: z.int(),
  passed: z.int().describe('SPF or DKIM passed for the domain.'),
}

export const DmarcSummary = z
  .object({
    domain_id: id(),
    domain: z.string(),
    reports: z.int(),
    total: z.object({ ...counts, quarantined: z.int(), rejected: z.int() }),
    days: z
      .array(z.object({ date: z.iso.date(), ...counts }))
      .describe('The last 30 days in UTC, oldest first.'),
    reporters: z.array(z.object({ org_name: z.string(), messages: z.int() })).describe('At most 20.'),
    sources: z
      .array(
        z.object({
          source_ip: z.string(),
          header_from: z.string(),
          ...counts,
          spf: z.int().describe('Messages that passed SPF.'),
          dkim: z.int().describe('Messages that passed DKIM.'),
          quarantined: z.int(),
          rejected: z.int(),
        }),
      )
      .describe('The servers that sent the most as this domain, up to 50.'),
  })
  .meta({ id: 'DmarcSummary' })
export type DmarcSummary = z.output<typeof DmarcSummary>

const params = z.object({ domain_id: pathId() })
const path = '/mail/domains/{domain_id}/dmarc-reports'
const common = { path, tag: 'Domains', errors: 'flat', params } as const

export const ReadDmarcReports = contract({
  id: 'readDmarcReports',
  method: 'GET',
  ...common,
  summary: 'Read the DMARC reports of a domain',
  description:
    'What receivers reported about email from this domain in the last 30 days (RFC 7489). Reports that arrive in a workspace mailbox are read automatically.',
  response: DmarcSummary,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const AddDmarcReports = contract({
  id: 'addDmarcReports',
  method: 'POST',
  ...common,
  summary: 'Add DMARC reports from a file',
  description:
    'An aggregate report as XML, gzip or zip, up to 2 MB. A report for another domain is refused. A known report is not counted twice.',
  body_type: 'multipart',
  max_bytes: 2 * 1024 * 1024 + 64 * 1024,
  body: z.object({ file: z.file() }),
  response: z.object({ added: z.int(), known: z.int() }),
  status: 201,
  scope: 'write',
  refusals: [400, 404],
})
