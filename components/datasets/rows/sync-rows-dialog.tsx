'use client'

import { useState, useTransition } from 'react'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { FileDrop } from '#components/ui/controls/file-drop'
import { Input } from '#components/ui/controls/input'
import { Callout } from '#components/ui/feedback/callout'
import { Dialog } from '#components/ui/overlays/dialog'
import { toast } from '#components/ui/overlays/toast'
import type { TableChanges } from '#lib/contracts/datasets/table-sync'
import type { FetchAnswer } from '../import-answers.tsx'
import { putFile } from '../put-file.ts'
import { SheetSource } from './sheet-source.tsx'
import type { Confirmed, KnownSheets, SyncActs } from './sync-answers.tsx'
import { SyncChanges } from './sync-changes.tsx'

const LOST = { ok: false, message: 'The server could not be reached. Try again.' } as const

type Props = { acts: SyncActs; sheets: KnownSheets; onClose: () => void }
type Compared = { upload_id: string; changes: TableChanges }

/** Reads a table, shows the changes and applies them. */
function useComparison(acts: SyncActs, onDone: () => void) {
  const [compared, setCompared] = useState<Compared | null>(null)
  const [problem, setProblem] = useState<string | null>(null)
  const [isPending, start] = useTransition()

  function show(work: () => Promise<Compared | { message: string }>) {
    setProblem(null)
    start(async () => {
      const answer = await work().catch(() => LOST)
      if ('message' in answer) setProblem(answer.message)
      else setCompared(answer)
    })
  }
  const compare = async (upload_id: string) => {
    const answer = await acts.compare(upload_id)
    return answer.ok ? { upload_id, changes: answer.changes } : answer
  }
  const readFile = (file: File) =>
    show(async () => {
      const made = await acts.upload({ filename: file.name, size_bytes: file.size })
      if (!made.ok) return made
      const isThere = await putFile(file, made.upload, () => undefined)
      return isThere ? compare(made.upload.upload_id) : LOST
    })
  const readFetched = (fetch: () => Promise<FetchAnswer>) =>
    show(async () => {
      const made = await fetch()
      return made.ok ? compare(made.upload.upload_id) : made
    })
  const apply = (chosen: Confirmed) => {
    if (!compared) return
    const { upload_id, changes } = compared
    setProblem(null)
    start(async () => {
      const answer = await acts.sync({ upload_id, digest: changes.digest, ...chosen }).catch(() => LOST)
      if (!answer.ok) return setProblem(answer.message)
      const { added, updated, removed } = answer.done
      toast.success(`${n(added)} added, ${n(updated)} changed, ${n(removed)} removed.`)
      onDone()
    })
  }
  return { compared, problem, isPending, readFile, readFetched, apply, reset: () => setCompared(null) }
}

/** Choose a file or link, then review the changes; nothing is written before the last button. */
export function SyncRowsDialog({ acts, sheets, onClose }: Props) {
  const { compared, problem, isPending, ...table } = useComparison(acts, onClose)
  return (
    <Dialog
      isOpen
      onClose={onClose}
      title="Sync with a table"
      description="You see the changes before anything is saved. Campaigns that are already launched take no new rows."
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4">
        {compared ? (
          <SyncChanges
            changes={compared.changes}
            isPending={isPending}
            onBack={table.reset}
            onApply={table.apply}
          />
        ) : (
          <>
            <Source
              isPending={isPending}
              onFile={table.readFile}
              onLink={(url) => table.readFetched(() => acts.fetchLink(url))}
            />
            <SheetSource
              {...sheets}
              isPending={isPending}
              connect={acts.connect}
              disconnect={acts.disconnect}
              onSheet={(body) => table.readFetched(() => acts.fetchSheet(body))}
            />
          </>
        )}
        {problem && (
          <Callout tone="danger" role="alert">
            {problem}
          </Callout>
        )}
      </div>
    </Dialog>
  )
}

const n = (count: number) => count.toLocaleString('en')

type SourceProps = { isPending: boolean; onFile: (file: File) => void; onLink: (url: string) => void }

function Source({ isPending, onFile, onLink }: SourceProps) {
  const [url, setUrl] = useState('')
  return (
    <>
      <FileDrop
        name="file"
        label="Drop the file, or choose it"
        hint="xlsx, xlsm, xlsb, xls, ods, csv or tsv; up to 25 MB"
        accept=".xlsx,.xlsm,.xlsb,.xls,.ods,.csv,.tsv"
        onFile={(file) => file && onFile(file)}
      />
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
          className="min-w-52 grow"
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
        <Button type="submit" disabled={url.trim() === ''} aria-busy={isPending} className="sm:mt-6">
          Compare
        </Button>
      </form>
      <p role="status" className="text-sm text-muted">
        {isPending ? 'Comparing the table with the dataset' : ''}
      </p>
    </>
  )
}
