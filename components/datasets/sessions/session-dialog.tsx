'use client'

import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Checkbox } from '#components/ui/controls/checkbox'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { Select } from '#components/ui/controls/select'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Dialog } from '#components/ui/overlays/dialog'
import { DialogActions } from '#components/ui/overlays/dialog-actions'
import type { Output } from '#lib/contracts/contract'
import type { ReadDataset } from '#lib/contracts/datasets/datasets'
import type { EnrichmentProviderView } from '#lib/contracts/enrichment/dataset-sessions'
import { EXTRACTION_KINDS, type ExtractionKind } from '#lib/domain/enrichment/kinds'
import { ENRICHMENT_RULES, type EnrichmentRule } from '#lib/domain/enrichment/rule-names'
import { ProviderFields } from '../verification/provider-fields.tsx'

const RULES: Record<EnrichmentRule, [string, string]> = {
  names: ['Names', 'First and last name from the full name, without titles and suffixes.'],
  company: ['Companies', 'The name as used in a sentence, without its legal form.'],
  job_title: ['Job titles', 'Seniority and department.'],
  domain: ['Domains', 'From the website or the address; free email providers do not count.'],
  timezone: ['Time zones', 'From country, city or phone, if they leave only one.'],
  address_quality: ['Address quality', 'Role, free, disposable and repeated addresses.'],
}
const KINDS: Record<ExtractionKind, [string, string]> = {
  emails: ['Email addresses', 'Also “name at domain dot com”.'],
  phones: ['Phone numbers', 'In international form; local ones where the country is known.'],
  links: ['Links', 'LinkedIn, X and websites.'],
  names: ['Names', 'Only if the text marks it as a name.'],
}

export type SessionFormProps = {
  columns: Output<typeof ReadDataset>['columns']
  providers: EnrichmentProviderView[]
  acts: { enrich: FormAction; extract: FormAction; find: FormAction }
}

type Props = SessionFormProps & { open: 'enrich' | 'extract' | 'find'; onClose: () => void }

const Overwrite = () => (
  <Checkbox
    name="overwrite"
    label="Also replace filled cells"
    hint="Undo restores them. Cells that a running campaign uses are not changed."
  />
)

/** The form of what was chosen, over the page. */
export function SessionDialog({ open, columns, providers, acts, onClose }: Props) {
  if (open === 'enrich')
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Enrich the dataset"
        description="Fills empty cells from the rest of the row. Every new cell shows its source."
      >
        <EnrichForm act={acts.enrich} providers={providers} onDone={onClose} />
      </Dialog>
    )
  if (open === 'extract')
    return (
      <Dialog
        isOpen
        onClose={onClose}
        title="Extract from free text"
        description="Pulls emails, phone numbers, links and names out of free text into columns of their own."
      >
        <ExtractForm act={acts.extract} columns={columns} onDone={onClose} />
      </Dialog>
    )
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Find addresses"
      description="For rows without one, from name and domain, using patterns in your datasets."
    >
      <FindForm act={acts.find} onDone={onClose} />
    </Dialog>
  )
}

type FormProps = { act: FormAction; onDone: () => void }

function EnrichForm({ act, providers, onDone }: FormProps & Pick<Props, 'providers'>) {
  return (
    <ActionForm action={act} onDone={onDone} className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Fields to fill</legend>
        {ENRICHMENT_RULES.map((rule) => (
          <Checkbox
            key={rule}
            name="rules"
            value={rule}
            defaultChecked
            label={RULES[rule][0]}
            hint={RULES[rule][1]}
          />
        ))}
      </fieldset>
      <ProviderFields providers={providers} legend="External providers for empty cells" />
      <Overwrite />
      <DialogActions>
        <SubmitButton>Enrich</SubmitButton>
      </DialogActions>
    </ActionForm>
  )
}

function ExtractForm({ act, columns, onDone }: FormProps & Pick<Props, 'columns'>) {
  return (
    <ActionForm action={act} onDone={onDone} className="grid gap-4">
      <fieldset className="grid gap-2">
        <legend className="mb-2 text-sm font-medium">Find</legend>
        {EXTRACTION_KINDS.map((kind) => (
          <Checkbox
            key={kind}
            name="kinds"
            value={kind}
            defaultChecked
            label={KINDS[kind][0]}
            hint={KINDS[kind][1]}
          />
        ))}
      </fieldset>
      <Field label="Where" name="column">
        <Select
          placeholder="All other columns"
          options={columns.map(({ key, name }) => ({ value: key, label: name }))}
        />
      </Field>
      <Overwrite />
      <DialogActions>
        <SubmitButton>Extract</SubmitButton>
      </DialogActions>
    </ActionForm>
  )
}

function FindForm({ act, onDone }: FormProps) {
  return (
    <ActionForm action={act} onDone={onDone} className="grid gap-4">
      <Field
        label="Minimum confidence"
        name="min_confidence"
        hint="From 1 to 100, an estimate. Less certain addresses are listed but not filled in."
      >
        <Input type="number" min={1} max={100} defaultValue={75} />
      </Field>
      <DialogActions>
        <SubmitButton>Find addresses</SubmitButton>
      </DialogActions>
    </ActionForm>
  )
}
