'use server'

import { answerSandboxMessage } from '#lib/operations/sandbox/sandbox'
import { formAction } from '../../../../action.ts'
import { formText } from '../../../../form-result.ts'

export const answerMail = formAction(
  answerSandboxMessage,
  (data, sandbox_message_id: string) => ({
    params: { sandbox_message_id },
    body: {
      kind: formText(data, 'kind'),
      ...(formText(data, 'text') && { text: formText(data, 'text') }),
      ...(formText(data, 'until') && { until: formText(data, 'until') }),
    },
  }),
  {
    anew: '/campaigns',
    said: ({ sent_to }) => `Sent to ${sent_to}. It appears in the inbox within seconds.`,
  },
)
