'use client'

import { FileStack, X } from 'lucide-react'
import { useEffect, useId, useRef } from 'react'
import { HiddenValue } from '#components/drafts/hidden-value'
import { useFieldError } from '#components/ui/controls/action-form'
import { Button } from '#components/ui/controls/button'
import { Field } from '#components/ui/controls/field'
import { IconButton } from '#components/ui/controls/icon-button'
import { Input } from '#components/ui/controls/input'
import { ActingButton, useLock } from '#components/ui/controls/lock'
import { Select } from '#components/ui/controls/select'
import { ProgressLine } from '#components/ui/feedback/progress'
import { Disclosure } from '#components/ui/layout/disclosure'
import { sizeWords } from '#lib/domain/text/size-words'
import { type KeptLeadFiles, keptLeadFiles, readKeptLeadFiles } from './kept-lead-files.tsx'
import type { AttachActs } from './use-attached.tsx'
import { useLeadFiles } from './use-lead-files.tsx'

const WITHOUT = [
  { value: 'hold', label: 'wait until they have one' },
  { value: 'skip', label: 'get the email without one' },
]

type Props = { attach: AttachActs; begun: KeptLeadFiles; fields: string[] }

/** A separate file for each lead, named by a column of its row. */
export function LeadFilesField({ attach, begun, fields }: Props) {
  const set = useLeadFiles(attach, begun)
  const refused = useFieldError('lead_files')
  return (
    <Disclosure
      title={`A file for each lead${set.files.length > 0 ? ` · ${counted(set.files)}` : ''}`}
      isOpen={begun.files.length > 0}
    >
      <HiddenValue
        name="lead_files"
        label="Files of leads"
        value={keptLeadFiles(set, set.files)}
        onRestore={(text) => set.change(readKeptLeadFiles(text) ?? { files: [] })}
      />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3">
        <p className="text-sm text-muted">
          Each lead gets the file named in a column of its row, with or without the ending: “ada.pdf” or
          “Ada”.
        </p>
        <div className="grid gap-3 sm:grid-cols-2">
          <ColumnField set={set} fields={fields} />
          <Field label="Leads without a file">
            <Select
              options={WITHOUT}
              value={set.without}
              onChange={({ target }) => set.change({ without: target.value === 'skip' ? 'skip' : 'hold' })}
            />
          </Field>
        </div>
        <FileSet set={set} />
        <Failures set={set} />
        {refused && (
          <p role="alert" className="text-sm text-danger">
            {refused}
          </p>
        )}
        <ChooseFiles set={set} />
      </div>
    </Disclosure>
  )
}

type Of = { set: ReturnType<typeof useLeadFiles> }

const counted = (files: KeptLeadFiles['files']) =>
  `${files.length === 1 ? '1 file' : `${files.length} files`}, ${sizeWords(files.reduce((sum, { size_bytes }) => sum + size_bytes, 0))}`

function ColumnField({ set, fields }: Of & { fields: string[] }) {
  const list = useId()
  return (
    <Field label="Column with the file name">
      <Input
        list={list}
        maxLength={255}
        autoComplete="off"
        spellCheck={false}
        value={set.column}
        placeholder="pdf"
        onChange={({ target }) => set.change({ column: target.value })}
      />
      <datalist id={list}>
        {fields.map((field) => (
          <option key={field} value={field} />
        ))}
      </datalist>
    </Field>
  )
}

function FileSet({ set }: Of) {
  if (set.files.length === 0) return null
  return (
    <ul
      aria-label="Files of leads"
      className="max-h-48 divide-y divide-border overflow-y-auto rounded-sm border border-border text-sm"
    >
      {set.files.map(({ attachment_id, filename, size_bytes }) => (
        <li key={attachment_id} className="flex min-w-0 items-center gap-2 px-2.5 py-0.5">
          <span className="min-w-0 flex-1 truncate" title={filename}>
            {filename}
          </span>
          <span className="shrink-0 text-xs text-muted tabular-nums">{sizeWords(size_bytes)}</span>
          <IconButton small label={`Remove ${filename}`} onClick={() => set.remove(attachment_id)}>
            <X aria-hidden />
          </IconButton>
        </li>
      ))}
    </ul>
  )
}

function Failures({ set }: Of) {
  if (set.failed.length === 0) return null
  return (
    <div role="alert" className="grid justify-items-start gap-1 text-sm text-danger">
      <ul className="grid gap-1">
        {set.failed.map(({ filename, message }) => (
          <li key={filename} className="wrap-anywhere">
            {filename}: {message}
          </li>
        ))}
      </ul>
      <Button size="sm" onClick={set.forgive}>
        Continue without {set.failed.length === 1 ? 'it' : 'them'}
      </Button>
    </div>
  )
}

function ChooseFiles({ set: { problem, sending, add } }: Of) {
  const input = useRef<HTMLInputElement>(null)
  const isLocked = useLock() !== null
  useEffect(() => input.current?.setCustomValidity(problem ?? ''), [problem])
  return (
    <div className="grid justify-items-start gap-2">
      <ActingButton onClick={() => input.current?.click()}>
        <FileStack aria-hidden /> Choose files
      </ActingButton>
      <input
        ref={input}
        type="file"
        multiple
        disabled={isLocked}
        tabIndex={-1}
        aria-label="Files of leads to attach"
        className="sr-only"
        onChange={({ currentTarget }) => {
          add([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
      {sending && (
        <div className="w-full">
          <ProgressLine value={sending.percent} label="Sending the files of leads" />
          <p role="status" className="mt-1 text-sm text-muted tabular-nums">
            {`Sending ${sending.done + 1} of ${sending.all}…`}
          </p>
        </div>
      )}
    </div>
  )
}
