'use client'

import type { FormAction, FormResult } from '#components/ui/controls/action-form'
import { toast } from '#components/ui/overlays/toast'
import { useRun } from '#components/ui/use-action'

/** A reply that is not sent yet, as shown to its author. */
export type Planned = { draft_id: string; left_ms: number; at: string }
export type AnswerResult = FormResult & { planned?: Planned }

/** Shorter delays are the undo period, not a time chosen by the user. */
const SHORT_MS = 15_000
const SHOWN_MS = 8_000

/** Submits the form and shows the result in a toast, with undo while that is possible. */
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
