import { pool } from '#lib/db/client'
import { listedNames, type Naming } from '#lib/domain/leads/listed-names'
import { needsEmail, readyForImport, refuseFile, type Wanted } from '#lib/services/datasets/uploads'
import { type Incoming, withCopy } from '#lib/services/files/working-copy'
import { readCheck } from '#lib/services/reading/files'
import type { NamedRow, RowCheck } from '#lib/services/reading/row-check'

/** Addresses looked up per query. */
const SLICE = 10_000
/** Above this, looking up every address in all other datasets would take longer than the import. */
const MOST_COMPARED = 50_000
const SAMPLES = 3

type Counted = { count: number; samples: string[] }
type ImportCheck = Omit<RowCheck, 'emails' | 'named'> & {
  /** Rows kept that match the suppression list: no campaign will write to them. */
  suppressed: Counted
  /** Rows kept whose address is in another dataset of the owner; null: too many to compare. */
  known: Counted | null
}

/** What an import of this file would keep, refuse and recognize as known. Nothing is stored. */
export async function checkImport(workspaceId: string, file: Incoming, wanted: Wanted): Promise<ImportCheck> {
  const with_names = await hasNames(workspaceId)
  const { emails, named, ...check } = await withCopy(file, async (copy) => {
    const { preview, sheet, mapping } = await readyForImport(workspaceId, copy, wanted, 'first')
    return readCheck(workspaceId, copy.path, {
      filename: preview.filename,
      sheet: sheet.name,
      mapping,
      email_required: needsEmail(wanted.pipeline_type),
      with_names,
    }).catch(refuseFile)
  })
  return {
    ...check,
    suppressed: with_names
      ? await meant(workspaceId, emails, named)
      : toCounted(await among(workspaceId, emails, SUPPRESSED)),
    known: emails.length > MOST_COMPARED ? null : toCounted(await among(workspaceId, emails, KNOWN)),
  }
}

/** Whether the suppression list has entries other than addresses and domains. Most lists have none, and then nothing else is read. */
async function hasNames(workspaceId: string): Promise<boolean> {
  const { rows } = await pool().query<{ found: boolean }>(
    `SELECT EXISTS (SELECT 1 FROM effective_suppressions WHERE workspace_id = $1 AND strpos(value, '@') = 0) AS found`,
    [workspaceId],
  )
  return rows[0]?.found ?? false
}

/**
 * Rows that match list entries by address, by profile or telephone number in the row, or by what is known of the person with the address.
 */
async function meant(workspaceId: string, emails: string[], named: readonly NamedRow[]): Promise<Counted> {
  const people = await known(workspaceId, emails)
  const all = [...named, ...people]
  const listed = new Set(
    await among(
      workspaceId,
      all.flatMap(({ names }) => names),
      LISTED,
    ),
  )
  const byName = all.filter(({ names }) => names.some((name) => listed.has(name)))
  const addresses = new Set(await among(workspaceId, emails, SUPPRESSED))
  for (const { email } of byName) if (email !== null) addresses.add(email)
  const without = byName.flatMap(({ email, names }) => (email === null ? names.slice(0, 1) : []))
  return toCounted([...addresses, ...without])
}

/** The known profiles and telephone numbers of people with these addresses. */
async function known(workspaceId: string, emails: string[]): Promise<NamedRow[]> {
  const people: NamedRow[] = []
  for (let from = 0; from < emails.length; from += SLICE) {
    const { rows } = await pool().query<{ email: string } & Omit<Naming, 'data'>>(
      `SELECT p.email, p.profile, p.phone, p.country FROM people p WHERE p.workspace_id = $1 AND p.email = ANY ($2::text[])
         AND (p.profile IS NOT NULL OR p.phone IS NOT NULL)`,
      [workspaceId, emails.slice(from, from + SLICE)],
    )
    for (const { email, ...person } of rows)
      people.push({ email, names: listedNames({ data: {}, ...person }) })
  }
  return people
}

const SUPPRESSED = `SELECT e.email AS value FROM unnest($2::text[]) e (email) WHERE EXISTS (SELECT 1 FROM effective_suppressions s
  WHERE s.workspace_id = $1::uuid AND s.value IN (e.email, '@' || split_part(e.email, '@', 2)))`
const LISTED =
  'SELECT DISTINCT s.value FROM effective_suppressions s WHERE s.workspace_id = $1::uuid AND s.value = ANY ($2::text[])'
const KNOWN = `SELECT DISTINCT r.email AS value FROM dataset_rows r
  WHERE r.dataset_id IN (SELECT dataset_id FROM datasets WHERE workspace_id = $1::uuid) AND r.email = ANY ($2::text[])`

/** Which of these values the statement returns. */
async function among(workspaceId: string, values: string[], sql: string): Promise<string[]> {
  const met: string[] = []
  for (let from = 0; from < values.length; from += SLICE) {
    const { rows } = await pool().query<{ value: string }>(sql, [
      workspaceId,
      values.slice(from, from + SLICE),
    ])
    for (const { value } of rows) met.push(value)
  }
  return met
}

const toCounted = (values: string[]): Counted => ({
  count: values.length,
  samples: values.slice(0, SAMPLES),
})
