import type { FormAction } from '#components/ui/controls/action-form'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import type { Problems } from '../problems.tsx'

export type PaneProps = {
  step: StepConfig
  /** The saved version of the step; absent for a new one. */
  saved: StepConfig | undefined
  steps: StepConfig[]
  isFixed: boolean
  isLocked: boolean
  problems: Problems
  templates: StepTemplate[]
  profiles: SenderProfile[]
  fields: string[]
  accounts: ConnectedAccount[]
  acting: ConnectedAccount[]
  account_id: string | null
  shownVariant: string | null
  onChange: (step: StepConfig) => void
  onAccount: (account_id: string | null) => void
  onShowVariant: (label: string) => void
  keepTemplate: FormAction
  /** Set if closing leads back to another pane. */
  onClose: (() => void) | null
}
