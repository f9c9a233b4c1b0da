'use server'

import { answerSandboxMessage } from '#lib/operations/sandbox/sandbox'
import { formAction } from '../../../../action.ts'
import { textOf } from '../../../../form-result.ts'

export const answerMail = formAction(
  answerSandboxMessage,
  (data, sandbox_message_id: string) => ({
    params: { sandbox_message_id },
    body: {
      kind: textOf(data, 'kind'),
      ...(textOf(data, 'text') && { text: textOf(data, 'text') }),
      ...(textOf(data, 'until') && { until: textOf(data, 'until') }),
    },
  }),
  { anew: '/campaigns', said: ({ sent_to }) => `On its way to ${sent_to}; it is read within moments.` },
)
