import { ExportWorkspaceAnalytics } from '#lib/contracts/campaigns/workspace-analytics'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportWorkspaceAnalytics } from '#lib/services/campaigns/reports/analytics-export'
import { parseQuery } from '../../../page-input.ts'

/** The same file that the API answers, for a signed-in browser. */
export async function GET(request: Request) {
  const { workspace_id } = await requireUser(ExportWorkspaceAnalytics)
  const query = parseQuery(
    ExportWorkspaceAnalytics.query,
    Object.fromEntries(new URL(request.url).searchParams),
  )
  return fileResponse(await exportWorkspaceAnalytics(workspace_id, query, new Date()))
}
