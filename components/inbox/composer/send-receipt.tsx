'use client'

import type { FormAction, FormResult } from '#components/ui/controls/action-form'
import { toast } from '#components/ui/overlays/toast'
import { useRun } from '#components/ui/use-action'

/** An answer that is not sent yet, as its writer is told of it. */
export type Planned = { draft_id: string; left_ms: number; at: string }
export type AnswerResult = FormResult & { planned?: Planned }

/** Time to undo, not a time that somebody chose. */
const SHORT_MS = 15_000
const SHOWN_MS = 8_000

/** Sends the form, and says what came of it with a way back, for as long as there is one. */
export function useReceipt(
  send: (previous: FormResult | null, data: FormData) => Promise<AnswerResult>,
  takeBack: (draft_id: string) => Promise<FormResult>,
  onBack: () => void,
): FormAction {
  const [run] = useRun()
  return async (previous, data) => {
    const result = await send(previous, data)
    if (!result.ok || !result.planned) return result
    const { draft_id, left_ms, at } = result.planned
    const isShort = left_ms <= SHORT_MS
    async function undo() {
      const answer = await takeBack(draft_id)
      if (answer.ok) onBack()
      return answer
    }
    toast(isShort ? 'Sending…' : `Scheduled for ${at}.`, {
      duration: isShort ? left_ms : SHOWN_MS,
      action: { label: 'Undo', onClick: () => run(undo) },
    })
    return result
  }
}
