import { ExportAccount } from '#lib/contracts/workspaces/account'
import { fileResponse } from '#lib/http/route'
import { requireUser } from '#lib/http/session'
import { exportEverything } from '#lib/services/workspaces/archive/account-export'

/** The same file that the API answers, for a signed-in browser. */
export async function GET() {
  const user = await requireUser(ExportAccount)
  return fileResponse(await exportEverything(user, new Date()))
}
