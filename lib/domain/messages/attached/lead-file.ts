import { attachedProblem } from '#lib/domain/messages/attached/limits'

/** Files that differ for each lead: a column of the lead's row names the file. */
export type LeadFiles = {
  column: string
  attachment_ids: string[]
  /** If a lead has no file: the email is sent without it, or waits. */
  without: 'skip' | 'hold'
}

export const MOST_LEAD_FILES = 500

type Named = { attachment_id: string; filename: string }
type Sized = Named & { size_bytes: number }

const BLANKS = ' \t\r\n'

/**
 * The form in which a cell and a file name are compared: the last part of a path, trimmed, with A to Z in lower case. The same
 * expression in SQL (see `lead-files.ts`) changes no other letters, so this does not either.
 */
export function fileKey(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).normalize('NFC')
  let start = 0
  let end = name.length
  while (start < end && BLANKS.includes(name[start] ?? '')) start += 1
  while (end > start && BLANKS.includes(name[end - 1] ?? '')) end -= 1
  return name.slice(start, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The files by every name that a cell may use: the file name, and the name without extension if only one file has it. */
export function leadFileKeys(files: readonly Named[]): Map<string, string> {
  const keys = new Map<string, string>()
  const stems = new Map<string, string | null>()
  for (const { attachment_id, filename } of files) {
    const key = fileKey(filename)
    keys.set(key, attachment_id)
    const dot = key.lastIndexOf('.')
    const stem = dot > 0 ? key.slice(0, dot) : ''
    if (stem) stems.set(stem, stems.has(stem) ? null : attachment_id)
  }
  for (const [stem, attachment_id] of stems)
    if (attachment_id && !keys.has(stem)) keys.set(stem, attachment_id)
  return keys
}

/** The file that a lead's row names; null if there is no such file. */
export function findLeadFile(
  { column }: Pick<LeadFiles, 'column'>,
  keys: ReadonlyMap<string, string>,
  data: Record<string, unknown>,
): string | null {
  const cell = data[column]
  if (typeof cell !== 'string' && typeof cell !== 'number') return null
  return keys.get(fileKey(`${cell}`)) ?? null
}

/** Why a lead whose file is missing waits. */
export const noLeadFile = ({ column }: Pick<LeadFiles, 'column'>): string =>
  `There is no file for this lead: no file matches its ${column}.`

/** Why the names of these files are ambiguous, or why a file would not fit into an email beside the common ones. */
export function leadFilesProblem(
  files: readonly Sized[],
  common: readonly { size_bytes: number }[],
): string | null {
  const seen = new Set<string>()
  for (const { filename } of files) {
    const key = fileKey(filename)
    if (seen.has(key)) return `Two files are called ${filename}.`
    seen.add(key)
  }
  const largest = files.toSorted((a, b) => b.size_bytes - a.size_bytes)[0]
  return largest ? attachedProblem([...common, largest]) : null
}
