import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'
import { SNDS_RESULTS } from '#lib/domain/domains/counted/snds'

export const SndsSummary = z
  .object({
    connected: z.boolean(),
    is_made_up: z.boolean().describe('By the sandbox of this instance.'),
    read_at: dateTime().nullable(),
    next_read_at: dateTime().nullable(),
    said: z.string().nullable().describe('Why nothing was read the last time; null: it was.'),
    warnings: z
      .array(z.string())
      .describe('The worst of the last seven days of each address, and what is blocked.'),
    blocked: z.array(z.object({ first_ip: z.string(), last_ip: z.string(), reason: z.string() })),
    ips: z
      .array(
        z.object({
          ip: z.string(),
          days: z
            .array(
              z.object({
                date: z.iso.date(),
                result: z
                  .enum(SNDS_RESULTS)
                  .describe(
                    'What the filter took for spam. `green`: less than 10 %, `yellow`: up to 90 %, `red`: more.',
                  ),
                complaints: z.string().describe('Reported as spam, as Microsoft says it.'),
                complaint_share: z.number().nullable(),
                recipients: z.int(),
                trap_hits: z.int().describe('Emails to addresses that exist to catch spam.'),
              }),
            )
            .describe('The newest first. Of a day with few emails nothing is counted.'),
        }),
      )
      .describe('By the addresses that most was sent from.'),
  })
  .meta({ id: 'SndsSummary' })
export type SndsSummary = z.output<typeof SndsSummary>

const common = { tag: 'Domains', errors: 'flat' } as const

export const ReadSnds = contract({
  ...common,
  id: 'readSnds',
  method: 'GET',
  path: '/mail/snds',
  summary: 'Read what Outlook.com counts of your IP addresses',
  description:
    'Filter result, complaints and spam traps of 14 days, of Microsoft’s Smart Network Data Services, which this instance reads twice a day by a key. For those who send from IP addresses of their own.',
  response: SndsSummary,
  status: 200,
  scope: 'read',
})

export const ConnectSnds = contract({
  ...common,
  id: 'connectSnds',
  method: 'POST',
  path: '/mail/snds',
  summary: 'Connect SNDS',
  description:
    'The key of the automated data access, or the whole address with it. It is tried before it is kept, sealed, and in no answer: 409 `snds_key_refused` if Microsoft does not take it. In the place of one that was there.',
  body: z.object({ key: text(1, 500) }),
  response: SndsSummary,
  status: 201,
  scope: 'write',
  refusals: [409, 503],
})

export const DisconnectSnds = contract({
  ...common,
  id: 'disconnectSnds',
  method: 'DELETE',
  path: '/mail/snds',
  summary: 'Disconnect SNDS',
  description: 'The key and what was read are deleted.',
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
