import { attachedProblem } from '#lib/domain/messages/attached/limits'

/** Files of which each lead gets its own: the one that a column of its row names. */
export type LeadFiles = {
  column: string
  attachment_ids: string[]
  /** What becomes of an email for whom there is none: it leaves without, or it waits. */
  without: 'skip' | 'hold'
}

export const MOST_LEAD_FILES = 500

type Named = { attachment_id: string; filename: string }
type Sized = Named & { size_bytes: number }

const BLANKS = ' \t\r\n'

/**
 * What a cell and a file are compared by: the end of a path, without blanks around it, A to Z in lower case. The database says
 * the same in SQL (see `lead-files.ts`), so both know no other case than that.
 */
export function fileKey(text: string): string {
  const name = text.slice(Math.max(text.lastIndexOf('/'), text.lastIndexOf('\\')) + 1).normalize('NFC')
  let start = 0
  let end = name.length
  while (start < end && BLANKS.includes(name[start] ?? '')) start += 1
  while (end > start && BLANKS.includes(name[end - 1] ?? '')) end -= 1
  return name.slice(start, end).replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** The files by what a cell may say of them: their names, and their names without an ending where only one has it. */
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

/** The file that the row of a lead names; null where there is none of that name. */
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

/** Why these files cannot be told apart, or would not fit into an email beside those that all leads get. */
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
