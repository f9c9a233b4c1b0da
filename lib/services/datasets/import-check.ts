import { pool } from '#lib/db/client'
import { needsEmail, readyForImport, type Wanted } from '#lib/services/datasets/uploads'
import { type Incoming, withCopy } from '#lib/services/files/working-copy'
import { readCheck } from '#lib/services/reading/files'
import type { RowCheck } from '#lib/services/reading/row-check'

/** Addresses that are looked up at once. */
const SLICE = 10_000
/** Beyond it, looking every address up in every other dataset would take longer than the import. */
const MOST_COMPARED = 50_000
const LISTED = 3

type ImportCheck = Omit<RowCheck, 'emails'> & {
  /** Rows kept whose address, or its domain, is on the suppression list: no campaign will write to them. */
  suppressed: { count: number; samples: string[] }
  /** Rows kept whose address stands in another dataset of the owner; null: too many to compare. */
  known: { count: number; samples: string[] } | null
}

/** What an import of this file would keep, refuse and find known already. Nothing is stored. */
export async function checkImport(workspaceId: string, file: Incoming, wanted: Wanted): Promise<ImportCheck> {
  const { emails, ...check } = await withCopy(file, async (copy) => {
    const { preview, sheet, mapping } = await readyForImport(workspaceId, copy, wanted)
    return readCheck(workspaceId, copy.path, {
      filename: preview.filename,
      sheet: sheet.name,
      mapping,
      email_required: needsEmail(wanted.pipeline_type),
    })
  })
  return {
    ...check,
    suppressed: await among(workspaceId, emails, SUPPRESSED),
    known: emails.length > MOST_COMPARED ? null : await among(workspaceId, emails, KNOWN),
  }
}

const SUPPRESSED = `SELECT e.email FROM unnest($2::text[]) e (email) WHERE EXISTS (SELECT 1 FROM effective_suppressions s
  WHERE s.workspace_id = $1::uuid AND s.value IN (e.email, '@' || split_part(e.email, '@', 2)))`
const KNOWN = `SELECT DISTINCT r.email FROM dataset_rows r
  WHERE r.dataset_id IN (SELECT dataset_id FROM datasets WHERE workspace_id = $1::uuid) AND r.email = ANY ($2::text[])`

async function among(workspaceId: string, emails: string[], sql: string) {
  const sample: { count: number; samples: string[] } = { count: 0, samples: [] }
  for (let from = 0; from < emails.length; from += SLICE) {
    const { rows } = await pool().query<{ email: string }>(sql, [
      workspaceId,
      emails.slice(from, from + SLICE),
    ])
    sample.count += rows.length
    sample.samples.push(...rows.slice(0, LISTED - sample.samples.length).map(({ email }) => email))
  }
  return sample
}
