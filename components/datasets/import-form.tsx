'use client'

import { type RefObject, useEffect, useRef, useState, useTransition } from 'react'
import { HiddenValue } from '#components/drafts/hidden-value'
import { KeptFields } from '#components/drafts/kept-fields'
import { ActionForm, type FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { Input } from '#components/ui/controls/input'
import { SubmitButton } from '#components/ui/controls/submit-button'
import { counted } from '#components/ui/counted'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Panel } from '#components/ui/layout/panel'
import { ColumnMapping } from './column-mapping.tsx'
import type { CheckAnswer, PreviewAnswer } from './import-answers.tsx'
import { ImportCheck } from './import-check.tsx'
import { SheetPicker } from './sheet-picker.tsx'

/** The selected sheet, and the manual changes to each sheet's mapping. */
type Choices = { sheet: string; mappings: Record<string, Record<string, string>> }

type Preview = Extract<PreviewAnswer, { ok: true }>['preview']

type Props = {
  file: { name: string; size: number }
  /** The upload that contains the file. */
  uploadId: string
  /** Preview of the first rows. */
  preview: Preview
  /** Computes the preview of all rows. */
  count: (upload_id: string) => Promise<PreviewAnswer>
  check: (data: FormData) => Promise<CheckAnswer>
  importFile: FormAction
  onChecked: (isChecked: boolean) => void
  onBack: () => void
}

const UNSENT = { ok: false, message: 'The server could not be reached. Try again.' } as const

/**
 * The preview of the first rows, with exact counts once all rows are read; columns can be mapped meanwhile.
 */
function useCounts({ uploadId, preview, count }: Pick<Props, 'uploadId' | 'preview' | 'count'>) {
  const isUncounted = Object.values(preview.sheets).some(({ row_count }) => row_count === null)
  const [answer, setAnswer] = useState<PreviewAnswer | null>(null)
  const isCounting = isUncounted && answer === null
  useEffect(() => {
    if (!isCounting) return
    let isLeft = false
    count(uploadId)
      .catch(() => UNSENT)
      .then((counted) => isLeft || setAnswer(counted))
    return () => {
      isLeft = true
    }
  }, [isCounting, uploadId, count])
  return {
    counted: answer?.ok ? answer.preview : preview,
    isCounting,
    problem: answer && !answer.ok ? answer.message : null,
  }
}

/** The user's choices and the form data they result in. */
function useChoices({ uploadId, preview }: Pick<Props, 'uploadId' | 'preview'>) {
  const sheets = sortSheets(preview)
  const first = sheets.find((sheet) => sheet.row_count !== 0 && !sheet.hidden) ?? sheets[0]
  const [choices, setChoices] = useState<Choices>({ sheet: first?.name ?? '', mappings: {} })
  const sheet = preview.sheets[choices.sheet]
  const mapping = choices.mappings[choices.sheet] ?? sheet?.suggested_mapping ?? {}
  function withChoices(data: FormData): FormData {
    data.delete('choices')
    data.set('upload_id', uploadId)
    data.set('sheet', choices.sheet)
    data.set('mapping', JSON.stringify(mapping))
    return data
  }
  return { choices, setChoices, sheet, mapping, withChoices }
}

/**
 * Choose sheet and columns, then check what an import would do, then import. Any change requires a new check.
 */
export function ImportForm(props: Props) {
  const { file, uploadId, check, importFile, onChecked, onBack } = props
  const { counted: preview, isCounting, problem } = useCounts(props)
  const { choices, setChoices, sheet, mapping, withChoices } = useChoices({ uploadId, preview })
  const [answer, setAnswer] = useState<CheckAnswer | null>(null)
  const [isChecking, startChecking] = useTransition()
  const checkButton = useRef<HTMLButtonElement>(null)

  function show(next: CheckAnswer | null) {
    setAnswer(next)
    onChecked(next?.ok === true)
  }
  function choose(next: Choices) {
    setChoices(next)
    show(null)
  }
  function ask() {
    const form = checkButton.current?.form
    if (!form) return
    const data = withChoices(new FormData(form))
    startChecking(async () => show(await check(data).catch(() => UNSENT)))
  }

  return (
    <ActionForm
      action={(previous, data) => importFile(previous, withChoices(data))}
      className="grid grid-cols-[minmax(0,1fr)] gap-4"
    >
      <KeptFields name={`import:${file.name}:${file.size}`} what="The import" />
      <HiddenValue
        name="choices"
        label="Sheet and columns"
        value={JSON.stringify(choices)}
        onRestore={(text) => choose(JSON.parse(text))}
      />
      <Sheets
        preview={preview}
        isCounting={isCounting}
        name={choices.sheet}
        mapping={mapping}
        onChoose={(chosen) => choose({ ...choices, sheet: chosen })}
        onChange={(changed) =>
          choose({ ...choices, mappings: { ...choices.mappings, [choices.sheet]: changed } })
        }
      />
      <Warnings problem={problem} mapping={mapping} />
      {isChecking && <ProgressLine label="Checking every row" />}
      <Checked answer={answer} filename={preview.filename} />
      <div className="flex flex-wrap gap-2">
        {answer?.ok ? (
          <SubmitButton disabled={answer.check.kept === 0}>{importLabel(answer.check)}</SubmitButton>
        ) : (
          <CheckButton
            ref={checkButton}
            rows={sheet ? sheet.row_count : 0}
            isChecking={isChecking}
            onClick={ask}
          />
        )}
        <Button onClick={onBack}>Choose another file</Button>
      </div>
    </ActionForm>
  )
}

const headerText = (row: number | null) =>
  row
    ? `Headers were found in row ${row}. Columns you do not map keep their own name.`
    : 'No header row was found; columns are named by their letters.'

const importLabel = ({ kept }: { kept: number }) =>
  `Import ${kept.toLocaleString('en')} ${kept === 1 ? 'lead' : 'leads'}`

type WarningsProps = { problem: string | null; mapping: Record<string, string> }

function Warnings({ problem, mapping }: WarningsProps) {
  return (
    <>
      {problem && (
        <Callout tone="danger" role="alert" title="The rows were not counted">
          {problem}
        </Callout>
      )}
      {!Object.values(mapping).includes('email') && (
        <Callout tone="warning">
          No column is mapped to Email. The rows can be imported, but not emailed.
        </Callout>
      )}
    </>
  )
}

function Checked({ answer, filename }: { answer: CheckAnswer | null; filename: string }) {
  return (
    <>
      {answer && !answer.ok && (
        <Callout tone="danger" role="alert" title="This file is not ready to import">
          {answer.message}
        </Callout>
      )}
      {answer?.ok && <ImportCheck check={answer.check} filename={filename} />}
    </>
  )
}

const sortSheets = ({ sheets }: Preview) => Object.values(sheets).sort((a, b) => a.index - b.index)

type SheetsProps = Pick<Props, 'preview'> & {
  isCounting: boolean
  name: string
  mapping: Record<string, string>
  onChoose: (name: string) => void
  onChange: (mapping: Record<string, string>) => void
}

/** The dataset's name, the sheet, and the column mapping. */
function Sheets({ preview, isCounting, name, mapping, onChoose, onChange }: SheetsProps) {
  const sheets = sortSheets(preview)
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
          <ColumnMapping sheet={sheet} isCounting={isCounting} mapping={mapping} onChange={onChange} />
        </Panel>
      )}
    </>
  )
}

type CheckButtonProps = {
  ref: RefObject<HTMLButtonElement | null>
  /** Null while not counted. */
  rows: number | null
  isChecking: boolean
  onClick: () => void
}

function CheckButton({ ref, rows, isChecking, onClick }: CheckButtonProps) {
  return (
    <Button ref={ref} variant="primary" disabled={rows === 0} aria-busy={isChecking} onClick={onClick}>
      {rows === null ? 'Check all rows' : `Check ${counted(rows, 'rows')}`}
    </Button>
  )
}
