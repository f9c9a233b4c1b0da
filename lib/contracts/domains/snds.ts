import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, text } from '#lib/contracts/fields'
import { SNDS_RESULTS } from '#lib/domain/domains/counted/snds'

export const SndsSummary = z
  .object({
    connected: z.boolean(),
    is_made_up: z.boolean().describe('From this instance’s sandbox.'),
    read_at: dateTime().nullable(),
    next_read_at: dateTime().nullable(),
    said: z.string().nullable().describe('Why the last read failed. Null if it succeeded.'),
    warnings: z
      .array(z.string())
      .describe('Each address’s worst day of the last seven, and what is blocked.'),
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
                    'Share treated as spam by the filter. `green`: less than 10 %, `yellow`: up to 90 %, `red`: more.',
                  ),
                complaints: z.string().describe('Spam reports, as given by Microsoft.'),
                complaint_share: z.number().nullable(),
                recipients: z.int(),
                trap_hits: z.int().describe('Emails to spam trap addresses.'),
              }),
            )
            .describe('Newest first. Days with few emails are not counted.'),
        }),
      )
      .describe('Ordered by the IP addresses that sent the most.'),
  })
  .meta({ id: 'SndsSummary' })
export type SndsSummary = z.output<typeof SndsSummary>

const common = { tag: 'Domains', errors: 'flat' } as const

export const ReadSnds = contract({
  ...common,
  id: 'readSnds',
  method: 'GET',
  path: '/mail/snds',
  summary: 'Read Outlook.com’s figures for your IP addresses',
  description:
    'Filter results, complaints and spam trap hits for 14 days from Microsoft’s Smart Network Data Services, read twice a day with a key. For senders with their own IP addresses.',
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
    'The automated data access key, or the full address containing it. It is tested, stored encrypted and never returned. Replaces an existing one. 409 `snds_key_refused` if Microsoft does not accept it.',
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
  description: 'Deletes the key and the data read.',
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
