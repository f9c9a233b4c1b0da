import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, dateTimeInput, id, listEnvelope, optionalText, paging } from '#lib/contracts/fields'

export const CHANGED_BY = ['person', 'token', 'key', 'assistant', 'stranger'] as const

export const AuditEvent = z
  .object({
    audit_event_id: id(),
    at: dateTime(),
    user_id: id()
      .nullable()
      .describe('Who did it, or whose key or assistant did. Null if their account was erased.'),
    user_name: z.string().nullable(),
    operation: z
      .string()
      .describe(
        'The `operationId`, or one of `failedSignIn`, `failedSecondFactor`, `useRecoveryCode`, `takeOffSecondFactor`, `makeFirstAccount`, `resetPassword`, `connectIdentity`, `disownSignIn`, `joinByDomain`, `followGroups` and `loseSignInDomain`.',
      ),
    target: z
      .record(z.string(), z.string())
      .describe(
        'Ids in the request or the response; for a failed sign-in, its network as `place`; the reason of a `contact_policy_override`, the `filename` of an upload.',
      ),
    target_names: z
      .record(z.string(), z.string())
      .describe('Current names for the ids in `target`, if they still exist.'),
    by: z
      .enum(CHANGED_BY)
      .describe(
        'person: the dashboard. token: a JWT. key: an API key. assistant: the assistant, for a person. stranger: somebody who failed to sign in.',
      ),
    key_prefix: z.string().nullable().describe('For an API key, its first characters.'),
  })
  .meta({ id: 'AuditEvent' })
export type AuditEvent = z.output<typeof AuditEvent>

const blank = <T extends z.ZodType>(schema: T) =>
  z.preprocess((value) => (value === '' ? undefined : value), schema.optional())

export const ListAuditEvents = contract({
  id: 'listAuditEvents',
  role: 'admin',
  method: 'GET',
  path: '/account/audit',
  tag: 'Account',
  summary: 'List the audit log',
  description:
    'Every operation that changed something and succeeded, newest first, through the API or in the dashboard; and failed sign-ins, at most ten a minute. Request bodies and secrets are not stored, except the reason of a `contact_policy_override` and the names of uploads.',
  query: z.object({
    ...paging,
    operation: optionalText(100),
    by: blank(z.enum(CHANGED_BY)),
    key_prefix: optionalText(20),
    user_id: blank(id()).describe('Changes by one member, including through their keys and the assistant.'),
    target_id: blank(id()).describe('Changes to one campaign, template or other item.'),
    from: blank(dateTimeInput()),
    to: blank(dateTimeInput()).describe('Exclusive.'),
  }),
  response: listEnvelope(AuditEvent),
  status: 200,
  errors: 'flat',
  scope: 'read',
})
