'use client'

import { type RefObject, useRef, useState, useTransition } from 'react'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import { ColumnMapping } from './column-mapping.tsx'
import type { CheckAnswer, PreviewAnswer } from './import-answers.tsx'
import { type Check, ImportCheck } from './import-check.tsx'
import { SheetPicker } from './sheet-picker.tsx'

type Props = {
  file: File
  preview: Extract<PreviewAnswer, { ok: true }>['preview']
  check: (data: FormData) => Promise<CheckAnswer>
  importFile: FormAction
  onChecked: (isChecked: boolean) => void
  onBack: () => void
}

const UNSENT: CheckAnswer = { ok: false, message: 'The file could not be sent to the server.' }

/** Sheet and columns, then what an import of them would do, and only then the import. A change asks for a new check. */
export function ImportForm({ file, preview, check, importFile, onChecked, onBack }: Props) {
  const sheets = sheetsOf(preview)
  const first = sheets.find((sheet) => sheet.row_count > 0 && !sheet.hidden) ?? sheets[0]
  const [name, setName] = useState(first?.name ?? '')
  const [mappings, setMappings] = useState<Record<string, Record<string, string>>>({})
  const [answer, setAnswer] = useState<CheckAnswer | null>(null)
  const [isChecking, startChecking] = useTransition()
  const checkButton = useRef<HTMLButtonElement>(null)
  const sheet = preview.sheets[name]
  const mapping = mappings[name] ?? sheet?.suggested_mapping ?? {}

  function show(next: CheckAnswer | null) {
    setAnswer(next)
    onChecked(next?.ok === true)
  }
  function ask() {
    const form = checkButton.current?.form
    if (!form) return
    const data = new FormData(form)
    data.set('file', file)
    startChecking(async () => show(await check(data).catch(() => UNSENT)))
  }
  const send: FormAction = (previous, data) => {
    data.set('file', file)
    return importFile(previous, data)
  }

  return (
    <ActionForm action={send} className="grid grid-cols-[minmax(0,1fr)] gap-4">
      <input type="hidden" name="sheet" value={name} />
      <input type="hidden" name="mapping" value={JSON.stringify(mapping)} />
      <Sheets
        preview={preview}
        name={name}
        mapping={mapping}
        onChoose={(chosen) => {
          setName(chosen)
          show(null)
        }}
        onChange={(changed) => {
          setMappings({ ...mappings, [name]: changed })
          show(null)
        }}
      />
      {!Object.values(mapping).includes('email') && (
        <Callout tone="warning">
          No column is mapped to Email. The rows can be kept, but no mail can be sent to them.
        </Callout>
      )}
      {isChecking && <ProgressLine label="Checking every row" />}
      <Checked answer={answer} filename={preview.filename} />
      <div className="flex flex-wrap gap-2">
        {answer?.ok ? (
          <SubmitButton disabled={answer.check.kept === 0}>{importLabel(answer.check)}</SubmitButton>
        ) : (
          <CheckButton ref={checkButton} rows={sheet?.row_count ?? 0} isChecking={isChecking} onClick={ask} />
        )}
        <Button onClick={onBack}>Choose another file</Button>
      </div>
    </ActionForm>
  )
}

const headerText = (row: number | null) =>
  row
    ? `Headers were found in row ${row}. Columns you leave out of the list are kept under their own name.`
    : 'No header row was found; columns are named by their letters.'

const importLabel = ({ kept }: Check) =>
  `Import ${kept.toLocaleString('en')} ${kept === 1 ? 'lead' : 'leads'}`

function Checked({ answer, filename }: { answer: CheckAnswer | null; filename: string }) {
  return (
    <>
      {answer && !answer.ok && (
        <Callout tone="danger" role="alert" title="This cannot be imported as it is">
          {answer.message}
        </Callout>
      )}
      {answer?.ok && <ImportCheck check={answer.check} filename={filename} />}
    </>
  )
}

const sheetsOf = ({ sheets }: Props['preview']) => Object.values(sheets).sort((a, b) => a.index - b.index)

type SheetsProps = Pick<Props, 'preview'> & {
  name: string
  mapping: Record<string, string>
  onChoose: (name: string) => void
  onChange: (mapping: Record<string, string>) => void
}

/** Its name, the sheet that is read, and which column is what. */
function Sheets({ preview, name, mapping, onChoose, onChange }: SheetsProps) {
  const sheets = sheetsOf(preview)
  const sheet = preview.sheets[name]
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        <Field label="Name of the dataset" name="dataset_name" required>
          <Input maxLength={255} defaultValue={preview.filename.replace(/\.[^.]+$/, '')} />
        </Field>
        {sheets.length > 1 && <SheetPicker sheets={sheets} chosen={name} onChoose={onChoose} />}
      </div>
      {sheet && (
        <Panel title="Columns" description={headerText(sheet.header_row)} flush>
          <ColumnMapping sheet={sheet} mapping={mapping} onChange={onChange} />
        </Panel>
      )}
    </>
  )
}

type CheckButtonProps = {
  ref: RefObject<HTMLButtonElement | null>
  rows: number
  isChecking: boolean
  onClick: () => void
}

function CheckButton({ ref, rows, isChecking, onClick }: CheckButtonProps) {
  return (
    <Button
      ref={ref}
      variant="primary"
      disabled={rows === 0 || isChecking}
      aria-busy={isChecking}
      onClick={onClick}
    >
      Check {rows.toLocaleString('en')} rows
    </Button>
  )
}
