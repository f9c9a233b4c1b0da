'use server'

import type { NewKeyAnswer } from '#components/api-keys/create-key'
import type { PreviewAnswer } from '#components/datasets/import-wizard'
import type { Message } from '#components/templates/message-fields'
import type { Rendered } from '#components/templates/message-preview'
import type { FormResult } from '#components/ui/action-form'
import type { StepConfig } from '#lib/contracts/steps'

/** Refuses a name without a vowel, to show the error states of a form. */
export async function saveSample(_previous: FormResult | null, data: FormData): Promise<FormResult> {
  const name = String(data.get('name') ?? '')
  await new Promise((done) => setTimeout(done, 600))
  if (/[aeiou]/i.test(name)) return { ok: true, message: `Saved ${name}` }
  return { ok: false, message: 'Nothing was saved.', fields: { name: 'A name needs at least one vowel.' } }
}

export async function actSample(): Promise<FormResult> {
  return { ok: true, message: 'Campaign paused' }
}

export async function failSample(): Promise<FormResult> {
  return { ok: false, message: 'Only a running campaign can be paused.' }
}

export async function keySample(): Promise<NewKeyAnswer> {
  return { ok: true, key: 'opn_3f9a8b7c_this_is_only_a_sample' }
}

export async function renderSample(message: Message, lead_index: number): Promise<Rendered> {
  const name = ['Ingrid', 'Jörg', 'Amara'][lead_index] ?? 'there'
  const fill = (text: string) => text.replace(/\{\{[^}]*first_name[^}]*\}\}/g, name)
  return {
    to: `${name.toLowerCase()}@example.com`,
    subject: fill(message.subject),
    text: fill(message.body),
    problems: [],
  }
}

export async function renderSteps(
  steps: StepConfig[],
  step: number,
  _variant: string | null,
  lead_index: number,
): Promise<Rendered> {
  const { subject, message_template } = steps[step - 1] ?? {}
  return renderSample({ subject: subject ?? '', body: message_template ?? '' }, lead_index)
}

export async function previewSample(data: FormData): Promise<PreviewAnswer> {
  const file = data.get('file')
  if (!(file instanceof File) || file.size === 0) return { ok: false, message: 'The file is empty.' }
  const column = (name: string, index: number, sample_values: string[]) => ({
    name,
    index,
    type: 'text',
    filled_count: 1200,
    sample_values,
  })
  const sheet = {
    name: 'Prospects',
    index: 0,
    hidden: false,
    row_count: 1277,
    column_count: 3,
    header_row: 4,
    columns: [
      column('E-Mail', 0, ['ingrid@nordfrakt.example', 'jorg@muller.example']),
      column('Vorname', 1, ['Ingrid', 'Jörg']),
      column('Mitarbeiter', 2, ['120', '0045']),
    ],
    sample_rows: [],
    suggested_mapping: { 'E-Mail': 'email', Vorname: 'first_name' },
  }
  const hidden = { ...sheet, name: 'Old', index: 1, hidden: true }
  const sheets = { Prospects: sheet, Old: hidden }
  return { ok: true, preview: { filename: file.name, sheets, total_sheets: 2, message: '' } }
}
