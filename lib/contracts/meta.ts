import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime } from '#lib/contracts/fields'

export const ReadHealth = contract({
  id: 'readHealth',
  method: 'GET',
  path: '/health',
  tag: 'Meta',
  summary: 'Health of this instance',
  description:
    '200 while the instance can serve, 503 while its database cannot be reached. `degraded` lists what works only in part.',
  response: z.object({
    status: z.enum(['ok', 'degraded']),
    version: z.string(),
    time: dateTime(),
    degraded: z.array(z.object({ part: z.string(), message: z.string() })),
  }),
  status: 200,
  errors: 'flat',
  scope: null,
  refusals: [503],
})
