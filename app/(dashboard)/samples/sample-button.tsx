import { ActionButton } from '#components/ui/controls/action-button'
import type { ButtonLook } from '#components/ui/controls/button'
import type { SampleKind } from '#lib/contracts/sandbox/samples'
import { addSampleData } from './actions.ts'

const LABELS: Record<SampleKind, string> = {
  campaign: 'Add a sample campaign',
  leads: 'Use sample leads',
  template: 'Add sample templates',
  sender_profile: 'Add a sample profile',
  post: 'Add a sample draft',
  suppression: 'Add a sample entry',
  history: 'Add sample results',
}

type Props = ButtonLook & { kind: SampleKind; children?: string }

/** Adds sample data for a list; all samples are removed together on the home page. */
export function SampleButton({ kind, children, ...look }: Props) {
  return (
    <ActionButton {...look} act={addSampleData.bind(null, kind)}>
      {children ?? LABELS[kind]}
    </ActionButton>
  )
}
