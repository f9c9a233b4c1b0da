import { ExportSuppressions } from '#lib/contracts/leads/suppressions'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportSuppressions } from '#lib/services/leads/suppressions/export'
import { parseQuery } from '../../../page-input.ts'

/** The same file that the API answers, for a signed-in browser. */
export async function GET(request: Request) {
  const user = await requireUser(ExportSuppressions)
  const query = parseQuery(ExportSuppressions.query, Object.fromEntries(new URL(request.url).searchParams))
  return fileResponse(await exportSuppressions(user.workspace_id, query, new Date()))
}
