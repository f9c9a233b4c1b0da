import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { DatasetSession } from '#lib/contracts/enrichment/dataset-sessions'
import { id, listEnvelope, paging, pathId, text } from '#lib/contracts/fields'
import { EMAIL_STATUSES, VERIFICATION_CODES } from '#lib/domain/finder/verdict'

const common = { tag: 'Email finder', errors: 'flat', rate: 'ai' } as const
const status = z
  .enum(EMAIL_STATUSES)
  .describe(
    'valid: the mail server accepts it and rejects names that do not exist. invalid: an email would bounce. risky: accepted, but the domain accepts any name, or it is a team or disposable address. unknown: no result.',
  )

export const EmailCandidate = z
  .object({
    email: z.string(),
    confidence: z
      .int()
      .min(0)
      .max(99)
      .describe('How likely the guess is correct, based mainly on the addresses you have at this domain.'),
    status,
    pattern: z.string().describe('For example `first.last`; `known` for an address in your datasets.'),
    evidence: z.string(),
  })
  .meta({ id: 'EmailCandidate' })
export type EmailCandidate = z.output<typeof EmailCandidate>

export const FindEmail = contract({
  ...common,
  id: 'findEmail',
  method: 'POST',
  path: '/email-finder/find',
  summary: 'Find the address of a person',
  description:
    'Returns candidates based on the patterns of known addresses of the domain in your datasets, or on common patterns. `email` is the most likely one. If mail server checks are on, the domain’s server is asked which candidates exist.',
  body: z.object({ first_name: text(1, 100), last_name: text(1, 100), domain: text(1, 253) }),
  response: z
    .object({
      email: z.string().nullable(),
      confidence: z.int(),
      status,
      reason: z.string(),
      mx: z.string().nullable(),
      catch_all: z.boolean().nullable(),
      known_addresses: z
        .int()
        .describe('Addresses at this domain in your datasets with a recognised pattern.'),
      candidates: z.array(EmailCandidate),
    })
    .meta({ id: 'FoundEmail' }),
  status: 200,
  scope: 'write',
})

export const VerifyEmail = contract({
  ...common,
  id: 'verifyEmail',
  method: 'POST',
  path: '/email-finder/verify',
  summary: 'Verify an address',
  description:
    'Sends no email. A server’s answer is kept for a week. If it deferred, it is asked again after an hour.',
  body: z.object({ email: text(1, 500) }),
  response: z
    .object({
      email: z.string().describe('As compared: lower case, with the domain in ASCII.'),
      status,
      code: z.enum(VERIFICATION_CODES),
      reason: z.string(),
      mx: z.string().nullable().describe('The mail server asked first.'),
      catch_all: z.boolean().nullable().describe('Whether the domain accepts any name; null if unknown.'),
      disposable: z.boolean(),
      role: z.boolean(),
      free_mail: z.boolean(),
    })
    .meta({ id: 'VerifiedEmail' }),
  status: 200,
  scope: 'write',
})

export const FinderOptions = z.object({
  min_confidence: z
    .int()
    .min(1)
    .max(100)
    .default(75)
    .describe('Fills the cell only at this confidence or higher. Every result is listed.'),
  overwrite: z
    .boolean()
    .default(false)
    .describe('Also searches for leads that already have an address, and replaces it.'),
})

export const FindEmails = contract({
  ...common,
  id: 'findEmails',
  method: 'POST',
  path: '/email-finder/bulk',
  summary: 'Find the addresses of a dataset',
  description:
    'Queues a session that fills `email` in rows without one, from name and domain, website or company address. You can list, cancel and undo it like any session.',
  body: FinderOptions.extend({ dataset_id: id() }),
  response: DatasetSession,
  status: 202,
  scope: 'write',
  changes: ['dataset_id'],
  refusals: [404, 409],
})

export const FoundForLead = z
  .object({
    lead_index: z.int(),
    email: z.string().nullable(),
    confidence: z.int(),
    status,
    reason: z.string(),
    filled: z.boolean().describe('Whether the cell was filled with it.'),
  })
  .meta({ id: 'FoundForLead' })

export const ListFoundEmails = contract({
  tag: 'Email finder',
  errors: 'flat',
  id: 'listFoundEmails',
  method: 'GET',
  path: '/datasets/{dataset_id}/sessions/{session_id}/found-emails',
  summary: 'List found addresses',
  params: z.object({ dataset_id: pathId(), session_id: pathId() }),
  query: z.object({
    ...paging,
    status: z.preprocess((v) => v || undefined, z.enum(EMAIL_STATUSES).optional()),
  }),
  response: listEnvelope(FoundForLead),
  status: 200,
  scope: 'read',
  refusals: [404],
})
