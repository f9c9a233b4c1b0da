'use client'

import { useState, useTransition } from 'react'
import { ActionForm, type FormAction } from '#components/ui/action-form'
import { Button } from '#components/ui/button'
import { Callout } from '#components/ui/callout'
import { Field } from '#components/ui/field'
import { FileDrop } from '#components/ui/file-drop'
import { Input } from '#components/ui/input'
import { Panel } from '#components/ui/panel'
import { ProgressLine } from '#components/ui/progress'
import { Stepper } from '#components/ui/stepper'
import { SubmitButton } from '#components/ui/submit-button'
import type { Output } from '#lib/contracts/contract'
import type { PreviewSpreadsheet } from '#lib/contracts/uploads'
import { ColumnMapping } from './column-mapping.tsx'
import { SheetPicker } from './sheet-picker.tsx'

type Preview = Output<typeof PreviewSpreadsheet>
export type PreviewAnswer = { ok: true; preview: Preview } | { ok: false; message: string }

type Props = {
  /** Given `file`; stores nothing. */
  preview: (data: FormData) => Promise<PreviewAnswer>
  /** Given `file`, `dataset_name`, `sheet` and `mapping`, as POST /upload/excel; goes on to the dataset's own page. */
  importFile: FormAction
}

const STEPS = ['Upload', 'Sheet & columns', 'Result']
const MOST_BYTES = 25 * 1024 * 1024

/** Nothing is written before the last button, and that button says how many rows it takes in. */
export function ImportWizard({ preview, importFile }: Props) {
  const [file, setFile] = useState<File | null>(null)
  const [answer, setAnswer] = useState<PreviewAnswer | null>(null)
  const [isReading, startReading] = useTransition()

  function read(chosen: File | null) {
    setFile(chosen)
    setAnswer(null)
    if (!chosen) return
    if (chosen.size > MOST_BYTES)
      return setAnswer({ ok: false, message: 'The file is larger than 25 MB. Split it, or save it as csv.' })
    const data = new FormData()
    data.set('file', chosen)
    startReading(async () => {
      const read = await preview(data).catch(
        (): PreviewAnswer => ({ ok: false, message: 'The file could not be sent to the server.' }),
      )
      setAnswer(read)
    })
  }

  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <Stepper label="Import" steps={STEPS} current={answer?.ok ? 1 : 0} />
      {!answer?.ok && (
        <>
          <FileDrop
            name="file"
            label="Drop a spreadsheet, or choose one"
            hint="xlsx, xlsm, xlsb, xls, ods, csv or tsv; up to 25 MB"
            accept=".xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv"
            onFile={read}
          />
          {isReading && <ProgressLine label="Reading the file" />}
          {answer && (
            <Callout tone="danger" role="alert" title="This file cannot be read">
              {answer.message}
            </Callout>
          )}
        </>
      )}
      {answer?.ok && file && (
        <Choose
          key={answer.preview.filename}
          file={file}
          preview={answer.preview}
          importFile={importFile}
          onBack={() => read(null)}
        />
      )}
    </div>
  )
}

type ChooseProps = { file: File; preview: Preview; importFile: FormAction; onBack: () => void }

function Choose({ file, preview, importFile, onBack }: ChooseProps) {
  const sheets = Object.values(preview.sheets).sort((a, b) => a.index - b.index)
  const first = sheets.find((sheet) => sheet.row_count > 0 && !sheet.hidden) ?? sheets[0]
  const [name, setName] = useState(first?.name ?? '')
  const [mappings, setMappings] = useState<Record<string, Record<string, string>>>({})
  const sheet = preview.sheets[name]
  const mapping = mappings[name] ?? sheet?.suggested_mapping ?? {}
  const hasEmail = Object.values(mapping).includes('email')

  const send: FormAction = (previous, data) => {
    data.set('file', file)
    return importFile(previous, data)
  }

  return (
    <ActionForm action={send} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <input type="hidden" name="sheet" value={name} />
      <input type="hidden" name="mapping" value={JSON.stringify(mapping)} />
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name of the dataset" name="dataset_name" required>
          <Input maxLength={255} defaultValue={preview.filename.replace(/\.[^.]+$/, '')} />
        </Field>
        {sheets.length > 1 && <SheetPicker sheets={sheets} chosen={name} onChoose={setName} />}
      </div>
      {sheet && (
        <Panel
          title="Columns"
          description={
            sheet.header_row
              ? `Headers were found in row ${sheet.header_row}. Columns you leave out of the list are kept under their own name.`
              : 'No header row was found; columns are named by their letters.'
          }
          flush
        >
          <ColumnMapping
            sheet={sheet}
            mapping={mapping}
            onChange={(changed) => setMappings({ ...mappings, [name]: changed })}
          />
        </Panel>
      )}
      {!hasEmail && (
        <Callout tone="warning">
          No column is mapped to Email. The rows can be kept, but no mail can be sent to them.
        </Callout>
      )}
      <div className="flex flex-wrap gap-2">
        <SubmitButton disabled={!sheet || sheet.row_count === 0}>
          Import {(sheet?.row_count ?? 0).toLocaleString('en')} rows
        </SubmitButton>
        <Button onClick={onBack}>Choose another file</Button>
      </div>
    </ActionForm>
  )
}
