import type { FormAction } from '#components/ui/controls/action-form'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import type { Problems } from '../problems.tsx'

export type PaneProps = {
  step: StepConfig
  /** As it is saved; nothing where it is new. */
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
  /** Where there is something behind it to go back to. */
  onClose: (() => void) | null
}
