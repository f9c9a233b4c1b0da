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

/** Renders a step as it is in the editor, for a lead, an account and a variant. */
export type RenderStep = (wanted: {
  steps: StepConfig[]
  step: number
  variant: string | null
  lead_index: number
  connected_account_id: string | null
}) => Promise<StepRendered>

export type SequenceProps = {
  /** The initial view. */
  view: SequenceView
  campaign_id: string
  type: CampaignType
  /** The version of the saved steps. */
  version: number
  steps: StepConfig[]
  /** The account of social steps; null: all LinkedIn accounts of the owner. */
  connected_account_id: string | null
  templates: StepTemplate[]
  profiles: SenderProfile[]
  accounts: ConnectedAccount[]
  /** The dataset's merge fields. */
  fields: string[]
  leads: number
  /** Why nothing can be changed now; null if everything after `reached` can. */
  locked: string | null
  /** Pauses a running campaign so that it can be edited. */
  pause: Act | null
  /** The last step that any lead has begun; steps up to it are fixed. */
  reached: number
  /** Whether leads already wait for these steps, so that an edit is previewed and confirmed. */
  isLive: boolean
  save: SaveSequence
  undo: (edit_id: string) => Promise<FormResult>
  /** The effect of saving; null if it cannot be determined. */
  preview: (edit: SequenceEdit) => Promise<EditPreview | null>
  render: RenderStep
  /** The first step's first variant rendered for the first lead; null: must be requested. */
  rendered: StepRendered | null
  sendTest: FormAction
  /** The leads' progress by step; null before the launch. */
  loadNumbers: (() => Promise<Numbers | null>) | null
  /** Creates a template from `name`, `subject` and `body`. */
  keepTemplate: FormAction
  /** Stores an image for a text. */
  uploadImage: UploadImage
  /** Templates offered after "/". */
  offered: TemplateSource
}
