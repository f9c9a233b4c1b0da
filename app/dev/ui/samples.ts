'use server'

import type {
  CheckAnswer,
  FetchAnswer,
  PreviewAnswer,
  UploadAnswer,
} from '#components/datasets/import-answers'
import type { AddRowsAnswer } from '#components/datasets/rows/added-rows'
import type { AttachAnswer } from '#components/messages/attached/use-attached'
import type { Message } from '#components/messages/message-fields'
import type { Rendered } from '#components/messages/message-preview'
import type { TemplateNames, TemplateWords } from '#components/messages/offered/source'
import type { BulkAnswer } from '#components/senders/connect/bulk-connect'
import type { RenderStep } from '#components/sequence/editor-props'
import type { StepRendered } from '#components/step-previews/preview-pane'
import type { FormResult } from '#components/ui/controls/action-form'
import type { Leave } from '#components/ui/controls/leave-button'
import type { NewKeyAnswer } from '#components/workspaces/keys/create-key'
import { TEMPLATES } from './sample-data.ts'

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

export async function importFixedSample(): Promise<AddRowsAnswer> {
  const skipped = [{ index: 0, code: 'invalid_email', message: 'Not an address: there is no @.' }]
  return { ok: true, answer: { added: 0, updated: 0, skipped } }
}

export async function bulkSample(): Promise<BulkAnswer> {
  const row = {
    row_number: 2,
    address: 'ana@example.com',
    outcome: 'connected',
    mailbox_id: null,
    error: null,
  } as const
  return { answer: { connected: 1, failing: 0, refused: 0, ignored_columns: [], rows: [row] } }
}

export async function failSample(): Promise<FormResult> {
  return { ok: false, message: 'Only a running campaign can be paused.' }
}

export async function leaveSample(): ReturnType<Leave> {
  return { ok: false, message: 'This instance has no OAuth client there.' }
}

export async function keySample(): Promise<NewKeyAnswer> {
  return { ok: true, key: 'opn_3f9a8b7c_this_is_only_a_sample' }
}

export async function renderSample(message: Message, lead_index: number): Promise<Rendered> {
  const name = ['Ingrid', 'Jörg', 'Amara'][lead_index] ?? 'there'
  const fill = (text: string) =>
    text.replace(/\{\{[^{}]*\}\}/g, (field) => (field.includes('first_name') ? name : field))
  return {
    to: `${name.toLowerCase()}@example.com`,
    subject: fill(message.subject),
    text: fill(message.body),
    problems: [],
  }
}

export async function renderSteps(wanted: Parameters<RenderStep>[0]): Promise<StepRendered> {
  const { subject, message_template } = wanted.steps[wanted.step - 1] ?? {}
  const message = { subject: subject ?? '', body: message_template ?? '' }
  const rendered = await renderSample(message, wanted.lead_index)
  return { ...rendered, from: 'petra@opener.local', html: null, raw: null, notes: [], content: [] }
}

export async function saveStepsSample(): Promise<FormResult> {
  return { ok: true, message: 'Sequence saved.' }
}

export async function previewNothing(): Promise<null> {
  return null
}

export async function uploadSample(): Promise<UploadAnswer> {
  return { ok: false, message: 'Nothing is sent from this page.' }
}

export async function attachSample(): Promise<AttachAnswer> {
  return { ok: false, message: 'Nothing is kept from this page.' }
}

export async function fetchSample(): Promise<FetchAnswer> {
  return { ok: false, message: 'Nothing is fetched from this page.' }
}

export async function previewSample(): Promise<PreviewAnswer> {
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
  return { ok: true, preview: { filename: 'leads.xlsx', sheets, total_sheets: 2, message: '' } }
}

export async function checkSample(): Promise<CheckAnswer> {
  const reject = {
    row_number: 17,
    cell: 'C17',
    column_name: 'E-mail Address',
    code: 'invalid_email',
    reason: 'There is no @ in it.',
    value: 'not-an-address',
    email: null,
  }
  return {
    ok: true,
    check: {
      kept: 1199,
      refused: [{ code: reject.code, count: 1, samples: [reject] }],
      rejects: [reject],
      suppressed: { count: 2, samples: ['ada@example.com'] },
      known: { count: 0, samples: [] },
    },
  }
}

export async function editSample(
  _leadIndex: number,
  previous: FormResult | null,
  data: FormData,
): Promise<FormResult> {
  return saveSample(previous, data)
}

export const uploadNothing = async () => ({ ok: false as const, message: 'Nothing is kept here.' })

export async function listSampleTemplates(): Promise<TemplateNames> {
  return { ok: true, templates: TEMPLATES.map(({ template_id, name }) => ({ id: template_id, name })) }
}

export async function readSampleTemplate(template_id: string): Promise<TemplateWords> {
  const template = TEMPLATES.find((one) => one.template_id === template_id)
  if (!template) return { ok: false, message: 'Template not found.' }
  return { ok: true, body: template.content.body, has_files: false }
}
