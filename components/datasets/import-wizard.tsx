'use client'

import { useState, useTransition } from 'react'
import type { FormAction } from '#components/ui/controls/action-form'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Stepper } from '#components/ui/layout/stepper'
import type { CheckAnswer, PreviewAnswer } from './import-answers.tsx'
import { ImportForm } from './import-form.tsx'

type Props = {
  /** Given `file`; stores nothing. */
  preview: (data: FormData) => Promise<PreviewAnswer>
  /** Given what `importFile` is given; stores nothing. */
  check: (data: FormData) => Promise<CheckAnswer>
  /** Given `file`, `dataset_name`, `sheet` and `mapping`, as POST /upload/excel; goes on to the dataset's own page. */
  importFile: FormAction
}

const STEPS = ['Upload', 'Sheet & columns', 'Check', 'Result']
const MOST_BYTES = 25 * 1024 * 1024

/** Nothing is written before the last button, and that button says how many rows it takes in. */
export function ImportWizard({ preview, check, importFile }: Props) {
  const [isChecked, setChecked] = useState(false)
  const [file, setFile] = useState<File | null>(null)
  const [answer, setAnswer] = useState<PreviewAnswer | null>(null)
  const [isReading, startReading] = useTransition()

  function read(chosen: File | null) {
    setFile(chosen)
    setAnswer(null)
    setChecked(false)
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
      <Stepper label="Import" steps={STEPS} current={answer?.ok ? (isChecked ? 2 : 1) : 0} />
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
        <ImportForm
          key={answer.preview.filename}
          file={file}
          preview={answer.preview}
          check={check}
          importFile={importFile}
          onChecked={setChecked}
          onBack={() => read(null)}
        />
      )}
    </div>
  )
}
