import { notFound, redirect } from 'next/navigation'
import { ReadAccount } from '#lib/contracts/workspaces/account'
import { AppError, ValidationError } from '#lib/errors'
import { actIn, pathIn, requireUser, type SignedIn } from '#lib/http/session'
import * as oauth from '#lib/operations/senders/mailbox-oauth'
import { testMailbox } from '#lib/operations/senders/mailboxes'
import { workspaceOfLink } from '#lib/services/senders/grants/links'
import { perform } from '../../../../action.ts'

/**
 * A vendor redirects the browser here after a sign-in. The state belongs to this browser's session and names
 * the workspace in which the sign-in started, since another tab may have switched to another one.
 */
export async function GET(request: Request, { params }: RouteContext<'/mailboxes/callback/[vendor]'>) {
  const { vendor } = await params
  const query = new URL(request.url).searchParams
  if (query.get('admin_consent')) redirect(`/mailboxes/new?with=${vendor}&allowed=1`)
  const user = await requireUser(ReadAccount)
  const workspaceId = workspaceOfLink(query.get('state') ?? '', user.session_id, new Date())
  const path = await complete(vendor, query, user, workspaceId ?? user.workspace_id)
  redirect(await pathIn(user, { path, workspace_id: workspaceId }))
}

/** The next page: the mailbox, or the page where the sign-in started with the error. */
async function complete(
  vendor: string,
  query: URLSearchParams,
  user: SignedIn,
  workspaceId: string,
): Promise<string> {
  try {
    const as = await actIn(user, workspaceId)
    const body = { vendor, query: query.toString() || '-' }
    const { mailbox_id } = await perform(oauth.completeMailboxOAuth, { body }, as)
    await perform(testMailbox, { params: { mailbox_id } }, as)
    return `/mailboxes/${mailbox_id}?connected=1`
  } catch (error) {
    if (error instanceof ValidationError) notFound()
    if (!(error instanceof AppError)) throw error
    return `/mailboxes/new?with=${encodeURIComponent(vendor)}&refused=${error.code}`
  }
}
