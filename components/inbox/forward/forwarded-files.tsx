'use client'

import { useRef, useState } from 'react'
import { AttachButton } from '#components/messages/attached/attach-button'
import { AttachedList } from '#components/messages/attached/attached-list'
import { useAttached } from '#components/messages/attached/use-attached'
import { Checkbox } from '#components/ui/controls/checkbox'
import { attachmentName } from '#lib/domain/messages/attached/filename'
import {
  ATTACHED_BYTES,
  attachedProblem,
  sentTogether,
  togetherProblem,
} from '#lib/domain/messages/attached/limits'
import { sizeWords } from '#lib/domain/text/size-words'
import type { Forwarded } from './forwarded.tsx'

/** The files sent with a forward: the message's own, each of which can be removed, and new ones. */
export function ForwardedFiles({ files, areKept, attach }: Pick<Forwarded, 'files' | 'areKept' | 'attach'>) {
  const [left, setLeft] = useState<ReadonlySet<number>>(new Set())
  const attached = useAttached(attach, 'forward', [])
  const button = useRef<HTMLButtonElement>(null)
  const travelling = [...files.filter((_, place) => !left.has(place)), ...attached.items]
  // The attachment list reports its own problems.
  const problem = attachedProblem(attached.items) ? null : togetherProblem(travelling)
  return (
    <fieldset className="grid min-w-0 grid-cols-[minmax(0,1fr)] justify-items-start gap-2">
      <legend className="mb-1 text-sm font-medium">Files</legend>
      {files.map((file, place) => (
        <Checkbox
          // biome-ignore lint/suspicious/noArrayIndexKey: two files may be alike in all that is known of them
          key={place}
          name="files"
          value={place}
          checked={!left.has(place)}
          onChange={({ target }) => setLeft((was) => toggled(was, place, !target.checked))}
          label={<Named file={file} place={place} />}
        />
      ))}
      {!areKept && files.length > left.size && (
        <p className="text-sm text-muted">
          Opener does not store emails this large. Their files are read from the mailbox when you forward
          them.
        </p>
      )}
      <AttachedList attached={attached} button={button} />
      <AttachButton attached={{ ...attached, problem: attached.problem ?? problem }} button={button} />
      {travelling.length > 0 && <Total bytes={sentTogether(travelling)} problem={problem} />}
    </fieldset>
  )
}

function toggled(places: ReadonlySet<number>, place: number, isIn: boolean): ReadonlySet<number> {
  const next = new Set(places)
  if (isIn) next.add(place)
  else next.delete(place)
  return next
}

const Named = ({ file, place }: { file: Forwarded['files'][number]; place: number }) => (
  <span className="wrap-anywhere">
    {attachmentName(file.filename ?? `attachment-${place + 1}`)}{' '}
    <span className="text-xs whitespace-nowrap text-muted">{sizeWords(file.size_bytes)}</span>
  </span>
)

const Total = ({ bytes, problem }: { bytes: number; problem: string | null }) =>
  problem ? (
    <p role="alert" className="text-sm text-danger">
      {problem}
    </p>
  ) : (
    <p className="text-sm text-muted tabular-nums">
      {`${sizeWords(bytes)} of at most ${sizeWords(ATTACHED_BYTES)} in the email.`}
    </p>
  )
