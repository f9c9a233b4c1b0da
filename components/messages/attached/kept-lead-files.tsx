import type { AttachedFile } from '#lib/contracts/messages/attachments'
import type { LeadFiles } from '#lib/domain/messages/attached/lead-file'

/** The form value for files per lead. */
export type KeptLeadFiles = Pick<LeadFiles, 'column' | 'without'> & { files: AttachedFile[] }

/** Serializes it; empty if there are no files. */
export function keptLeadFiles(
  given: Pick<LeadFiles, 'column' | 'without'> | undefined,
  files: readonly AttachedFile[],
): string {
  if (!given || files.length === 0) return ''
  const { column, without } = given
  const toFile = ({ attachment_id, filename, content_type, size_bytes }: AttachedFile) => ({
    attachment_id,
    filename,
    content_type,
    size_bytes,
  })
  return JSON.stringify({ column, without, files: files.map(toFile) })
}

/** Parses a kept form value; null if it is invalid. */
export function readKeptLeadFiles(text: string): KeptLeadFiles | null {
  try {
    const kept = JSON.parse(text)
    return Array.isArray(kept?.files) && typeof kept.column === 'string' ? kept : null
  } catch {
    return null
  }
}
