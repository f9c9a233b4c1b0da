import { useDraftKey } from '#components/drafts/draft-owner'
import { toast } from '#components/ui/overlays/toast'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SequenceProps } from '../editor-props.tsx'
import type { SequenceAct } from '../use-sequence.tsx'

const load = () => import('../clipboard.tsx')

/** Copies a step within a campaign or to another one. */
export function useClipboard(
  { templates, profiles }: SequenceProps,
  dispatch: (act: SequenceAct) => void,
): { onCopy: (step: StepConfig) => void; onPaste: (at: number) => void } {
  const key = useDraftKey('copied-step')
  return {
    onCopy: async (step) => {
      if (!key) return
      const { copyStep } = await load()
      copyStep(key, step, templates)
      toast.success(`Step ${step.step} is copied.`)
    },
    onPaste: async (at) => {
      const { copiedStep } = await load()
      const step = key && copiedStep(key, { templates, profiles })
      if (step) dispatch({ act: 'paste', step, at })
      else toast.error('Nothing copied. Copy a step first.')
    },
  }
}
