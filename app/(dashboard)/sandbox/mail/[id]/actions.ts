'use server'

import { revalidatePath } from 'next/cache'
import type { FormResult } from '#components/ui/controls/action-form'
import { AnswerSandboxMessage } from '#lib/contracts/sandbox/sandbox'
import { requireUser } from '#lib/http/session'
import { answerSandboxMessage } from '#lib/services/sandbox/replies'
import { formResult, textOf } from '../../../../form-result.ts'
import { noted } from '../../../../noted.ts'

export async function answerMail(
  messageId: string,
  _previous: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  const user = await requireUser()
  return formResult(async () => {
    const { sandbox_message_id } = AnswerSandboxMessage.params.parse({ sandbox_message_id: messageId })
    const body = AnswerSandboxMessage.body.parse({
      kind: textOf(data, 'kind'),
      ...(textOf(data, 'text') && { text: textOf(data, 'text') }),
      ...(textOf(data, 'until') && { until: textOf(data, 'until') }),
    })
    const { sent_to } = await answerSandboxMessage(user.user_id, sandbox_message_id, body, new Date())
    await noted(user, AnswerSandboxMessage, { sandbox_message_id })
    revalidatePath('/campaigns', 'layout')
    return `On its way to ${sent_to}; it is read within moments.`
  })
}
