import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, id, listEnvelope, optionalText, paging } from '#lib/contracts/fields'

export const CHANGED_BY = ['person', 'key', 'assistant', 'stranger'] as const

export const AuditEvent = z
  .object({
    audit_event_id: id(),
    at: dateTime(),
    operation: z
      .string()
      .describe(
        'The `operationId` of what was done; beside those `failedSignIn`, `failedSecondFactor`, `useRecoveryCode`, `takeOffSecondFactor`, `makeFirstAccount`, `resetPassword`, `connectIdentity` and `disownSignIn`.',
      ),
    target: z
      .record(z.string(), z.string())
      .describe(
        'Ids that the request named or the answer gave; of a failed sign-in the `place` it came from.',
      ),
    by: z
      .enum(CHANGED_BY)
      .describe(
        'person: the dashboard or a JWT. key: an API key. assistant: in the name of a person. stranger: somebody who did not get in.',
      ),
    key_prefix: z.string().nullable().describe('Of an API key, its first characters.'),
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.output<typeof AuditEvent>

const blank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const ListAuditEvents = contract({
  id: 'listAuditEvents',
  method: 'GET',
  path: '/account/audit',
  tag: 'Account',
  summary: 'List what was changed, by whom',
  description:
    'Every operation that changed something and succeeded, the newest first: by the API and in the dashboard; and sign-ins that failed, at most ten a minute. Neither bodies nor secrets are kept.',
  query: z.object({
    ...paging,
    operation: optionalText(100),
    by: blank(z.enum(CHANGED_BY)),
    key_prefix: optionalText(20),
    target_id: blank(id()).describe('Of a campaign, a template…: what was done to it.'),
    from: blank(dateTimeInput()),
    to: blank(dateTimeInput()).describe('Exclusive.'),
  }),
  response: listEnvelope(AuditEvent),
  status: 200,
  errors: 'flat',
  scope: 'read',
})
