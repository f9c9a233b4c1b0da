import type { TemplateSource } from '#components/messages/offered/source'
import type { UploadImage } from '#components/messages/rich/uploads'
import type { FormAction, FormResult } from '#components/ui/controls/action-form'
import type { Act } from '#components/ui/use-action'
import type { EditPreview } from '#lib/contracts/campaigns/edit-preview'
import type { StepConfig } from '#lib/contracts/campaigns/steps'
import type { SenderProfile } from '#lib/contracts/messages/sender-profiles'
import type { StepTemplate } from '#lib/contracts/messages/templates'
import type { ConnectedAccount } from '#lib/contracts/senders/connected-accounts'
import type { CampaignType } from '#lib/domain/campaigns/campaign-type'
import type { StepRendered } from '../step-previews/preview-pane.tsx'
import type { SequenceView } from './editor/view.tsx'
import type { Numbers } from './picture/numbers.tsx'
import type { SaveSequence, SequenceEdit } from './use-saving.tsx'

/** The steps as they stand in the editor: which of them, for which lead, from which account, and in which variant. */
export type RenderStep = (wanted: {
  steps: StepConfig[]
  step: number
  variant: string | null
  lead_index: number
  connected_account_id: string | null
}) => Promise<StepRendered>

export type SequenceProps = {
  /** What is shown first. */
  view: SequenceView
  campaign_id: string
  type: CampaignType
  /** The one that the steps are of. */
  version: number
  steps: StepConfig[]
  /** What social steps leave from; null: every LinkedIn account of the owner. */
  connected_account_id: string | null
  templates: StepTemplate[]
  profiles: SenderProfile[]
  accounts: ConnectedAccount[]
  /** Merge fields of the dataset. */
  fields: string[]
  leads: number
  /** Why nothing may be changed now; null: everything from `reached` on may. */
  locked: string | null
  /** Pauses a running campaign, so that it can be edited. */
  pause: Act | null
  /** The last step that some lead has begun; steps up to it are fixed. */
  reached: number
  /** Whether leads wait for these steps already, so that an edit is shown and confirmed before it is saved. */
  isLive: boolean
  save: SaveSequence
  undo: (edit_id: string) => Promise<FormResult>
  /** What saving would do; null: it cannot be said. */
  preview: (edit: SequenceEdit) => Promise<EditPreview | null>
  render: RenderStep
  /** The first step in its first variant for the first lead, as `render` would answer; null: it is asked. */
  rendered: StepRendered | null
  sendTest: FormAction
  /** What became of the leads so far, by step; null before the launch. */
  loadNumbers: (() => Promise<Numbers | null>) | null
  /** Makes a template of `name`, `subject` and `body`. */
  keepTemplate: FormAction
  /** Keeps an image for a text. */
  uploadImage: UploadImage
  /** What a / in a text offers. */
  offered: TemplateSource
}
