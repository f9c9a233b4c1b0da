'use client'

import { useEffect, useRef, useState, useTransition } from 'react'
import type { FormAction } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Input } from '#components/ui/controls/input'
import { Callout } from '#components/ui/feedback/callout'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Stepper } from '#components/ui/layout/stepper'
import { SPREADSHEET_BYTES } from '#lib/domain/datasets/file-size'
import type { CheckAnswer, FetchAnswer, PreviewAnswer, UploadAnswer } from './import-answers.tsx'
import { ImportForm } from './import-form.tsx'
import { putFile } from './put-file.ts'

type Props = {
  /** Creates the address to which the file is uploaded. */
  upload: (file: { filename: string; size_bytes: number }) => Promise<UploadAnswer>
  /** Fetches the file behind a link and stores it like an upload. */
  fetchLink: (url: string) => Promise<FetchAnswer>
  /** Previews the first rows of an uploaded file; stores nothing. */
  preview: (upload_id: string) => Promise<PreviewAnswer>
  /** The same for all rows, which takes longer. */
  count: (upload_id: string) => Promise<PreviewAnswer>
  /** Takes the same data as `importFile`, but stores nothing. */
  check: (data: FormData) => Promise<CheckAnswer>
  /** Takes `upload_id`, `dataset_name`, `sheet` and `mapping`; redirects to the dataset's page. */
  importFile: FormAction
}

const STEPS = ['Upload', 'Sheet & columns', 'Check', 'Result']
const UNSENT = {
  ok: false,
  message: 'The file could not be sent. Check your connection and try again.',
} as const

const UNREACHED = { ok: false, message: 'The server could not be reached. Try again.' } as const

function refusal({ size }: File): string | null {
  if (size === 0) return 'The file is empty.'
  if (size > SPREADSHEET_BYTES) return 'The file is larger than 25 MB. Split it, or save it as csv.'
  return null
}

type Sent = { file: { name: string; size: number }; upload_id: string }

/**
 * Uploads the file to the storage first, since a request to the server may be too small for it, and reads it
 * from there.
 */
function useSentFile({ upload, fetchLink, preview }: Pick<Props, 'upload' | 'fetchLink' | 'preview'>) {
  const [sent, setSent] = useState<Sent | null>(null)
  const [answer, setAnswer] = useState<PreviewAnswer | null>(null)
  /** Percentage; null once everything is sent. */
  const [progress, setProgress] = useState<number | null>(null)
  const [isSending, startSending] = useTransition()
  /** The file chosen last; results for an earlier one are ignored. */
  const chosen = useRef<File | string | null>(null)

  async function sendAndRead(file: File): Promise<PreviewAnswer> {
    const made = await upload({ filename: file.name, size_bytes: file.size })
    if (!made.ok) return made
    const { upload_id } = made.upload
    const showProgress = (percent: number) => chosen.current === file && setProgress(percent)
    if (!(await putFile(file, made.upload, showProgress))) return UNSENT
    if (chosen.current === file) {
      setProgress(null)
      setSent({ file, upload_id })
    }
    return preview(upload_id)
  }
  function read(file: File | null) {
    chosen.current = file
    setSent(null)
    setAnswer(null)
    if (!file) return
    const refused = refusal(file)
    if (refused) return setAnswer({ ok: false, message: refused })
    setProgress(0)
    startSending(async () => {
      const read = await sendAndRead(file).catch(() => UNSENT)
      if (chosen.current === file) setAnswer(read)
    })
  }
  async function fetchAndRead(url: string): Promise<PreviewAnswer> {
    const fetched = await fetchLink(url)
    if (!fetched.ok) return fetched
    const { upload_id, filename, size_bytes } = fetched.upload
    if (chosen.current === url) setSent({ file: { name: filename, size: size_bytes }, upload_id })
    return preview(upload_id)
  }
  function readLink(url: string) {
    chosen.current = url
    setSent(null)
    setAnswer(null)
    setProgress(null)
    startSending(async () => {
      const read = await fetchAndRead(url).catch(() => UNREACHED)
      if (chosen.current === url) setAnswer(read)
    })
  }
  return { sent, answer, progress, isSending, read, readLink }
}

/** Nothing is written before the last button, which says how many rows it imports. */
export function ImportWizard({ upload, fetchLink, preview, count, check, importFile }: Props) {
  const [isChecked, setChecked] = useState(false)
  const { sent, answer, progress, isSending, read, readLink } = useSentFile({ upload, fetchLink, preview })

  const isRead = answer?.ok === true
  const section = useRef<HTMLElement>(null)
  // The button that was pressed is gone with its step, so move the focus to the next step's content.
  useEffect(() => {
    if (isRead && document.activeElement === document.body) section.current?.focus({ preventScroll: true })
  }, [isRead])

  function choose(file: File | null) {
    setChecked(false)
    read(file)
  }

  return (
    <section
      ref={section}
      tabIndex={-1}
      aria-label={STEPS[isRead ? 1 : 0]}
      className="grid grid-cols-[minmax(0,1fr)] gap-4 focus-visible:outline-none"
    >
      <Stepper label="Import" steps={STEPS} current={isRead ? (isChecked ? 2 : 1) : 0} />
      {!answer?.ok && (
        <>
          <FileDrop
            name="file"
            label="Drop a spreadsheet, or choose one"
            hint="xlsx, xlsm, xlsb, xls, ods, csv or tsv; up to 25 MB"
            accept=".xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv"
            onFile={choose}
          />
          <FileLink isFetching={isSending} onLink={readLink} />
          {isSending && <Underway progress={progress} />}
          {answer && (
            <Callout tone="danger" role="alert" title="The file was not read">
              {answer.message}
            </Callout>
          )}
        </>
      )}
      {answer?.ok && sent && (
        <ImportForm
          key={sent.upload_id}
          file={sent.file}
          uploadId={sent.upload_id}
          preview={answer.preview}
          count={count}
          check={check}
          importFile={importFile}
          onChecked={setChecked}
          onBack={() => {
            choose(null)
            section.current?.focus({ preventScroll: true })
          }}
        />
      )}
    </section>
  )
}

/** Upload progress, then reading; announced only on the change between them. */
function Underway({ progress }: { progress: number | null }) {
  const label = progress === null ? 'Reading the file' : 'Sending the file'
  return (
    <div className="grid gap-1.5">
      <p role="status" className="text-sm text-muted">
        {label}
      </p>
      <ProgressLine label={label} {...(progress === null ? {} : { value: progress })} />
    </div>
  )
}

type LinkProps = { isFetching: boolean; onLink: (url: string) => void }

/** A file at a URL. The server fetches it, since a page may not read other sites. */
function FileLink({ isFetching, onLink }: LinkProps) {
  const [url, setUrl] = useState('')
  return (
    <form
      className="flex flex-wrap items-start gap-2"
      onSubmit={(event) => {
        event.preventDefault()
        onLink(url.trim())
      }}
    >
      <Field
        label="Or from a link"
        name="url"
        hint="A file that anyone with the link can download, or a Google sheet that anyone can view."
        className="min-w-60 grow"
      >
        <Input
          type="url"
          required
          maxLength={2_000}
          placeholder="https://"
          value={url}
          onChange={(event) => setUrl(event.target.value)}
        />
      </Field>
      <Button type="submit" disabled={url.trim() === ''} aria-busy={isFetching} className="sm:mt-6">
        Fetch
      </Button>
    </form>
  )
}
