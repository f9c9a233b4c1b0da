import { ExportPeople } from '#lib/contracts/leads/people'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportPeople } from '#lib/services/leads/people/export'
import { parseQuery } from '../../../page-input.ts'

/** The same file that the API answers, for a signed-in browser. */
export async function GET(request: Request) {
  const user = await requireUser(ExportPeople)
  const query = parseQuery(ExportPeople.query, Object.fromEntries(new URL(request.url).searchParams))
  return fileResponse(await exportPeople(user.workspace_id, query, new Date()))
}
