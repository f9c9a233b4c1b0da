import { DownloadInboxFile } from '#lib/contracts/inbox/inbox-files'
import { errorResponse } from '#lib/http/envelope'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { requireChosen } from '#lib/services/campaigns/client-access'
import { downloadInboxFile } from '#lib/services/inbox/thread/files'
import { parseParams } from '../../../../../../page-input.ts'

/** The file as the API returns it, for a signed-in browser; shows the reason if there is none. */
export async function GET(
  request: Request,
  { params }: RouteContext<'/inbox/[thread_id]/files/[inbox_message_id]/[position]'>,
) {
  const user = await requireUser(DownloadInboxFile)
  const which = parseParams(DownloadInboxFile.params, await params)
  try {
    await requireChosen(user, which)
    return fileResponse(await downloadInboxFile(user.workspace_id, which, new Date()))
  } catch (error) {
    return errorResponse(error, DownloadInboxFile, new URL(request.url).pathname)
  }
}
