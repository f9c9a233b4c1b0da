import { Badge } from '#components/ui/feedback/badge'
import { sizeWords } from '#lib/domain/text/size-words'

type File = { filename: string | null; content_type: string; size_bytes: number }

/** What is attached to a message, by name and size. */
export function FileBadges({ files }: { files: readonly File[] }) {
  if (files.length === 0) return null
  return (
    <ul aria-label="Files" className="flex flex-wrap gap-1.5 px-4 pb-3">
      {files.map((file, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two attachments may be alike in all that is known of them
        <li key={i}>
          <Badge>
            <span className="max-w-[60vw] truncate sm:max-w-80">{file.filename ?? file.content_type}</span> ·{' '}
            {sizeWords(file.size_bytes)}
          </Badge>
        </li>
      ))}
    </ul>
  )
}
