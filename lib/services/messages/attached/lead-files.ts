import type { Reader } from '#lib/db/client'
import { prepared } from '#lib/db/prepared'
import { type LeadFiles, leadFileKeys } from '#lib/domain/messages/attached/lead-file'
import type { MessageTemplate } from '#lib/domain/messages/template'

export type LeadFileKeys = ReadonlyMap<string, string>

/** For templates with a file per lead: the key under which each file is found. Makes no query if no template has any. */
export async function loadLeadFileKeys(
  reader: Reader,
  workspaceId: string,
  texts: ReadonlyMap<string, MessageTemplate>,
): Promise<Map<string, LeadFileKeys>> {
  const carrying = [...texts].flatMap(([id, { lead_files }]) => (lead_files ? [{ id, lead_files }] : []))
  if (carrying.length === 0) return new Map()
  const { rows } = await reader.query<{ attachment_id: string; filename: string }>(
    prepared(
      'SELECT attachment_id, filename FROM attachments WHERE workspace_id = $1 AND attachment_id = ANY ($2)',
      [workspaceId, carrying.flatMap(({ lead_files }) => lead_files.attachment_ids)],
    ),
  )
  const known = new Map(rows.map((row) => [row.attachment_id, row]))
  return new Map(
    carrying.map(({ id, lead_files }) => [
      id,
      leadFileKeys(lead_files.attachment_ids.flatMap((file) => known.get(file) ?? [])),
    ]),
  )
}

/** SQL: `fileKey` of a cell of a row `r`; `column` is the parameter that names the column. */
const keySql = (column: string) => `translate(btrim(normalize(regexp_replace(
    CASE WHEN ${column} = 'email' THEN r.email ELSE r.data ->> ${column} END, '^.*[/\\\\]', ''), NFC), E' \\t\\r\\n'),
  'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')`

/** SQL: whether a row `r` names none of these files. */
export const namesNone = (column: string, keys: string) =>
  `NOT coalesce(${keySql(`${column}::text`)} = ANY (${keys}::text[]), false)`

/** The leads of a dataset whose rows name none of these files. */
export async function leadsWithoutFile(
  reader: Reader,
  { workspace_id, dataset_id }: { workspace_id: string; dataset_id: string },
  { column }: Pick<LeadFiles, 'column'>,
  keys: LeadFileKeys,
): Promise<ReadonlySet<number>> {
  const { rows } = await reader.query<{ list: string | null }>(
    `SELECT string_agg(r.lead_index::text, ',') AS list FROM dataset_rows r
     WHERE r.workspace_id = $1 AND r.dataset_id = $2 AND ${namesNone('$3', '$4')}`,
    [workspace_id, dataset_id, column, [...keys.keys()]],
  )
  return new Set((rows[0]?.list ?? '').split(',').filter(Boolean).map(Number))
}
