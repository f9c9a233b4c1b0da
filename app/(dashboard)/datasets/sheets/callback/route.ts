import { redirect } from 'next/navigation'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { AppError, ValidationError } from '#lib/errors'
import { actIn, pathIn, requireUser, type SignedIn } from '#lib/http/session'
import { completeSheets } from '#lib/operations/datasets/google-sheets'
import { workspaceOfSheetState } from '#lib/services/leads/rows/sheets/state'
import { perform } from '../../../../action.ts'

/**
 * Google redirects the browser here after a sign-in. The state belongs to this browser's session and names
 * the workspace in which the sign-in started, since another tab may have switched to another one.
 */
export async function GET(request: Request) {
  const query = new URL(request.url).searchParams
  const user = await requireUser(ReadAccount)
  const workspaceId = workspaceOfSheetState(query.get('state') ?? '', user.session_id, new Date())
  const path = await complete(query, user, workspaceId ?? user.workspace_id)
  redirect(await pathIn(user, { path, workspace_id: workspaceId }))
}

/** Redirects to the dataset's sync, or to the list with the error. */
async function complete(query: URLSearchParams, user: SignedIn, workspaceId: string): Promise<string> {
  try {
    const as = await actIn(user, workspaceId)
    const { dataset_id } = await perform(completeSheets, { body: { query: query.toString() || '-' } }, as)
    return `/datasets/${dataset_id}?sheets=connected`
  } catch (error) {
    if (error instanceof ValidationError) return '/datasets?sheets=grant_invalid'
    if (!(error instanceof AppError)) throw error
    return `/datasets?sheets=${error.code}`
  }
}
