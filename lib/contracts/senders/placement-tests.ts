import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, pathId, text } from '#lib/contracts/fields'
import { PLACEMENT_STATES, PLACEMENTS } from '#lib/domain/domains/placement'
import { RECIPIENT_PROVIDERS } from '#lib/domain/domains/recipient-provider'

/** The limit for one mailbox in 24 hours. Placement tests belong to no campaign and do not count towards its limits. */
export const MOST_PLACEMENT_TESTS = 20

const Verdict = z.object({
  result: z.string().describe('As the receiver wrote it: `pass`, `fail`, `softfail`, `none` …'),
  domain: z.string().nullable(),
})

export const Authentication = z
  .object({
    authserv_id: z.string().nullable().describe('The receiver’s host name. Microsoft gives none.'),
    spf: Verdict.nullable(),
    dkim: z.array(Verdict),
    dmarc: Verdict.nullable(),
  })
  .meta({ id: 'AuthenticationSeen' })

export const PlacementTest = z
  .object({
    placement_test_id: id(),
    seed_mailbox_id: id(),
    seed_address: z.string(),
    provider: z.enum(RECIPIENT_PROVIDERS).describe('Of the seed.'),
    state: z
      .enum(PLACEMENT_STATES)
      .describe('missing: it was in neither inbox nor spam folder for 24 hours. not_sent: see `error`.'),
    placement: z.enum(PLACEMENTS).nullable().describe('The inbox, a tab of Gmail’s, or the spam folder.'),
    authentication: Authentication.nullable().describe(
      'From the receiver’s Authentication-Results (RFC 8601). Null if it wrote none.',
    ),
    error: z.string().nullable(),
    sent_at: dateTime(),
    arrived_at: dateTime().nullable(),
  })
  .meta({ id: 'PlacementTest' })
export type PlacementTest = z.output<typeof PlacementTest>

const params = z.object({ mailbox_id: pathId() })
const path = '/mail/mailboxes/{mailbox_id}/placement-tests'
const common = { path, tag: 'Mailboxes', errors: 'flat', params } as const

export const ReadPlacementTests = contract({
  id: 'readPlacementTests',
  method: 'GET',
  ...common,
  summary: 'Read the placement tests of a mailbox',
  description: 'The last 30 days, newest first, up to 100.',
  response: z.object({ items: z.array(PlacementTest) }),
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const CreatePlacementTests = contract({
  id: 'createPlacementTests',
  method: 'POST',
  ...common,
  summary: 'Test where a mailbox’s emails arrive',
  description: `Sends an email to each seed, which are other readable mailboxes in the workspace, up to ${MOST_PLACEMENT_TESTS} in 24 hours. The next check shows whether it arrived in the inbox, a tab or spam, and the receiver’s SPF, DKIM and DMARC results. It does not count towards limits. 429 when the 24-hour limit is reached.`,
  body: z.object({
    seed_mailbox_ids: z.array(id()).min(1).max(10),
    subject: text(1, 200).default('A short question'),
    text: text(1, 10_000)
      .describe('Plain text. Use a step’s text to see where it arrives.')
      .default('Hello,\n\ncould you tell me whether this reached you?\n\nThank you.'),
  }),
  response: z.object({ items: z.array(PlacementTest) }),
  status: 201,
  scope: 'send',
  refusals: [404, 409],
  destructive: true,
})
