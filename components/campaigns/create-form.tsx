import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { LinkButton } from '#components/ui/controls/link-button'
import { type Choice, RadioGroup } from '#components/ui/controls/radio-group'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Textarea } from '#components/ui/controls/textarea'
import { counted } from '#components/ui/counted'
import type { Dataset } from '#lib/contracts/datasets/datasets'
import type { CampaignType } from '#lib/domain/campaigns/campaign-type'

const TYPES: (Choice & { value: CampaignType })[] = [
  { value: 'email', label: 'Email', hint: 'Emails from your mailboxes.' },
  { value: 'social', label: 'Social', hint: 'Invitations and messages from your connected accounts.' },
  { value: 'mixed', label: 'Mixed', hint: 'Emails and social steps in one sequence.' },
]

type Props = { create: FormAction; datasets: Dataset[]; datasetId?: string; zones: string[]; zone: string }

/** The minimum for a campaign; everything else has a default and its own tab later. */
export function CreateCampaignForm({ create, datasets, datasetId, zones, zone }: Props) {
  const options = datasets.map((dataset) => ({
    value: dataset.dataset_id,
    label: `${dataset.dataset_name} (${counted(dataset.row_count, 'leads')})`,
    disabled: dataset.status !== 'completed',
  }))
  return (
    <ActionForm action={create} className="grid max-w-xl gap-4">
      <KeptFields name={`campaign:new:${datasetId ?? ''}`} what="The campaign" />
      <Field label="Name" name="name" required>
        <Input maxLength={255} placeholder="Spring outreach" />
      </Field>
      <Field
        label="Leads"
        name="dataset_id"
        required
        aside={
          <LinkButton href="/datasets/import" variant="ghost" size="sm">
            Import a spreadsheet
          </LinkButton>
        }
      >
        <Select options={options} placeholder="Choose a dataset" defaultValue={datasetId ?? ''} />
      </Field>
      <RadioGroup legend="Steps" name="type" choices={TYPES} defaultValue="email" />
      <Field label="Time zone" name="timezone" hint="Used for sending hours and daily limits.">
        <Select options={zones.map((value) => ({ value, label: value }))} defaultValue={zone} />
      </Field>
      <Field label="Notes" name="description" hint="For you and your team; never sent.">
        <Textarea rows={2} />
      </Field>
      <div>
        <SubmitButton>Create and write the first step</SubmitButton>
      </div>
    </ActionForm>
  )
}
