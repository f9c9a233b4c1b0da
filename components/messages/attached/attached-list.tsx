'use client'

import { FileText, X } from 'lucide-react'
import { type RefObject, useEffect, useEffectEvent, useRef } from 'react'
import { useFieldError } from '#components/ui/controls/action-form'
import { IconButton } from '#components/ui/controls/icon-button'
import { ProgressLine } from '#components/ui/feedback/progress'
import type { AttachedFile } from '#lib/contracts/messages/attachments'
import { attachedProblem } from '#lib/domain/messages/attached/limits'
import { sizeWords } from '#lib/domain/text/size-words'
import { type Attached, type Item, isThere } from './use-attached.tsx'

const toFile = ({ attachment_id, filename, content_type, size_bytes }: AttachedFile) => ({
  attachment_id,
  filename,
  content_type,
  size_bytes,
})

/** The form value for a list of files. */
export const keptFiles = (files: readonly AttachedFile[]): string =>
  files.length > 0 ? JSON.stringify(files.map(toFile)) : ''

/** Parses a kept form value; empty if it is not a list of files. */
function readKept(text: string): AttachedFile[] {
  try {
    const kept: unknown = JSON.parse(text)
    return Array.isArray(kept) ? kept.filter((one) => typeof one?.attachment_id === 'string') : []
  } catch {
    return []
  }
}

type Props = { attached: Attached; button: RefObject<HTMLButtonElement | null> }

/** The attachments of the surrounding form with their upload state, each removable. */
export function AttachedList({ attached, button }: Props) {
  const { items, replace, reset } = attached
  const field = useRef<HTMLInputElement>(null)
  const refused = useFieldError('attachments') ?? attachedProblem(items)
  const restored = useEffectEvent((text: string) => replace(readKept(text)))
  const emptied = useEffectEvent(() => reset())
  useEffect(() => {
    const control = field.current
    const form = control?.form
    const restore = ({ detail }: CustomEvent<string>) => restored(detail)
    const empty = () => emptied()
    control?.addEventListener('restore', restore)
    form?.addEventListener('reset', empty)
    return () => {
      control?.removeEventListener('restore', restore)
      form?.removeEventListener('reset', empty)
    }
  }, [])
  const there = items.filter(isThere)
  return (
    <div className="w-full not-has-[ul,[role=alert]]:in-[[data-composer]]:-mb-2">
      <input ref={field} type="hidden" name="attachments" data-label="Files" value={keptFiles(there)} />
      {items.length > 0 && (
        <ul aria-label="Files" className="flex flex-wrap gap-1.5">
          {items.map((item) => (
            <Chip
              key={item.key}
              item={item}
              remove={() => {
                attached.remove(item.key)
                button.current?.focus()
              }}
            />
          ))}
        </ul>
      )}
      {refused && (
        <p role="alert" className="mt-1 text-sm text-danger">
          {refused}
        </p>
      )}
      <p role="status" className="sr-only">
        {there.length > 0 && `${there.length === 1 ? '1 file' : `${there.length} files`} attached.`}
      </p>
    </div>
  )
}

function Chip({ item, remove }: { item: Item; remove: () => void }) {
  const { filename, size_bytes, percent, error } = item
  return (
    <li className="max-w-full min-w-0 rounded-sm border border-border bg-sunken px-2 py-1 text-sm">
      <div className="flex min-w-0 items-center gap-1.5">
        <FileText aria-hidden className="size-4 shrink-0 text-muted" />
        <span className="min-w-0 truncate sm:max-w-72" title={filename}>
          {filename}
        </span>
        <span className="shrink-0 text-xs text-muted">{sizeWords(size_bytes)}</span>
        <IconButton small label={`Remove ${filename}`} onClick={remove} className="-my-0.5 -mr-1">
          <X aria-hidden />
        </IconButton>
      </div>
      {percent !== null && <ProgressLine value={percent} label={`Sending ${filename}`} />}
      {error && (
        <p role="alert" className="text-xs text-danger wrap-anywhere">
          {error}
        </p>
      )}
    </li>
  )
}
