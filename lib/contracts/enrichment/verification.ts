import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { DatasetSession, EnrichmentProviderView } from '#lib/contracts/enrichment/dataset-sessions'
import { dateTime, listEnvelope, paging, pathId, text } from '#lib/contracts/fields'
import { LIST_RISKS } from '#lib/domain/finder/list-risk'
import { EMAIL_STATUSES, VERIFICATION_CODES } from '#lib/domain/finder/verdict'

const params = z.object({ dataset_id: pathId() })
const common = { tag: 'Datasets', errors: 'flat' } as const

export const VerificationOptions = z
  .object({
    providers: z
      .array(text(1, 40))
      .max(10)
      .default([])
      .describe(
        'Verification services, tried in this order for addresses that are still unknown. The first result is used.',
      ),
    max_cost: z
      .number()
      .min(0)
      .max(1_000_000)
      .default(0)
      .describe('Maximum total cost of this session’s lookups.'),
    recheck: z
      .boolean()
      .default(false)
      .describe('Also verifies addresses verified in the last 30 days, or unknown in the last day.'),
  })
  .meta({ id: 'VerificationOptions' })

const status = z
  .enum(EMAIL_STATUSES)
  .describe(
    'valid: the address accepts mail. invalid: mail to it would bounce. risky: a team or disposable address, or a domain that accepts any name. unknown: no result.',
  )

export const VerifiedRow = z
  .object({
    lead_index: z.int(),
    email: z.string(),
    status,
    code: z.enum(VERIFICATION_CODES),
    reason: z.string(),
    verified_by: z.string().describe('`opener`, or the verification service.'),
    verified_at: dateTime(),
  })
  .meta({ id: 'VerifiedRow' })
export type VerifiedRow = z.output<typeof VerifiedRow>

const count = () => z.int().min(0)

export const DatasetVerification = z
  .object({
    rows: count(),
    without_address: count(),
    valid: count(),
    invalid: count(),
    risky: count(),
    unknown: count(),
    unverified: count(),
    codes: z
      .array(z.object({ status, code: z.enum(VERIFICATION_CODES), count: count() }))
      .describe('Why the addresses have their status, most frequent first.'),
    suppressed: count().describe(
      'Rows that match the suppression list by address, domain, profile or phone number, of the row or of the person with its address.',
    ),
    repeated: count().describe('Rows whose address is in an earlier row.'),
    in_other_datasets: count().describe('Addresses also in another dataset.'),
    in_campaigns: count().describe('Addresses already leads in a campaign.'),
    risk: z.enum(LIST_RISKS).describe('The risk of sending to the whole list.'),
    risk_reason: z.string(),
    providers: z.array(EnrichmentProviderView).describe('Verification services a session can use.'),
  })
  .meta({ id: 'DatasetVerification' })
export type DatasetVerification = z.output<typeof DatasetVerification>

export const VerifyDataset = contract({
  ...common,
  id: 'verifyDataset',
  method: 'POST',
  path: '/datasets/{dataset_id}/verify',
  summary: 'Verify the addresses of a dataset',
  description:
    'Queues a session that verifies every address: syntax, disposable and team addresses, the domain’s mail servers and, if turned on, the server itself; then the services you choose. It sends no email and changes no cells. Results apply to the whole workspace: an address is verified once in 30 days. Campaigns skip invalid addresses (`skip_emails`).',
  params,
  body: VerificationOptions.prefault({}),
  response: DatasetSession,
  status: 202,
  scope: 'write',
  refusals: [404, 409],
  rate: 'ai',
})

export const ReadDatasetVerification = contract({
  ...common,
  id: 'readDatasetVerification',
  method: 'GET',
  path: '/datasets/{dataset_id}/verification',
  summary: 'Read a dataset’s verification results',
  description: 'Counts by status and reason, duplicates, and the risk of sending to the list.',
  params,
  response: DatasetVerification,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const ListVerifiedRows = contract({
  ...common,
  id: 'listVerifiedRows',
  method: 'GET',
  path: '/datasets/{dataset_id}/verified-rows',
  summary: 'List verified rows',
  description: 'Rows with a verified address, in dataset order.',
  params,
  query: z.object({
    ...paging,
    status: z.preprocess((value) => value || undefined, z.enum(EMAIL_STATUSES).optional()),
  }),
  response: listEnvelope(VerifiedRow),
  status: 200,
  scope: 'read',
  refusals: [404],
})
