import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime } from '#lib/contracts/fields'

const Part = z
  .object({
    status: z.enum(['ok', 'degraded', 'down']),
    message: z.string(),
    since: dateTime().nullable().describe('Since when, if known.'),
  })
  .meta({ id: 'HealthPart' })

export const ReadHealth = contract({
  id: 'readHealth',
  method: 'GET',
  path: '/health',
  tag: 'Meta',
  summary: 'Health of this instance',
  description:
    '200 while the instance can serve requests, 503 while its database cannot be reached. `parts` contains the state of each part, `degraded` lists those that are not `ok`.',
  response: z.object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    time: dateTime(),
    parts: z.object({
      database: Part,
      engine: Part.describe('The background functions: when they last checked for due work.'),
      queue: Part.describe('Whether due campaigns and webhook deliveries wait too long.'),
      mail: Part,
      dns: Part,
      storage: Part,
    }),
    degraded: z.array(z.object({ part: z.string(), message: z.string() })),
  }),
  status: 200,
  errors: 'flat',
  scope: null,
  refusals: [503],
})
