import { Badge } from '#components/ui/feedback/badge'
import { attachmentName } from '#lib/domain/messages/attached/filename'
import { sizeWords } from '#lib/domain/text/size-words'
import { FileLink } from './file-link.tsx'

type File = { filename: string | null; content_type: string; size_bytes: number }
type Props = {
  files: readonly File[]
  /** URL of the file at a position; absent if files cannot be downloaded. */
  hrefOf?: ((position: number) => string) | undefined
}

/** The attachments of a message by name and size, as download links if possible. */
export function FileBadges({ files, hrefOf }: Props) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-1.5 px-4 pb-3">
      {files.map((file, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be alike in all that is known of them
        <li key={i} className="max-w-full min-w-0">
          {hrefOf ? (
            <FileLink href={hrefOf(i)} filename={attachmentName(file.filename ?? `attachment-${i + 1}`)}>
              <Named file={file} />
            </FileLink>
          ) : (
            <Badge>
              <Named file={file} />
            </Badge>
          )}
        </li>
      ))}
    </ul>
  )
}

/** The name comes from a stranger and is shown as it will be saved; it cannot change the text direction. */
const Named = ({ file: { filename, content_type, size_bytes } }: { file: File }) => (
  <>
    <span className="min-w-0 max-w-[60vw] truncate sm:max-w-80">
      {filename === null ? content_type : attachmentName(filename)}
    </span>
    <span className="shrink-0 whitespace-nowrap">· {sizeWords(size_bytes)}</span>
  </>
)
