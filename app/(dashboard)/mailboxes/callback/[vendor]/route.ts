import { notFound, redirect } from 'next/navigation'
import { AppError, ValidationError } from '#lib/errors'
import * as oauth from '#lib/operations/senders/mailbox-oauth'
import { testMailbox } from '#lib/operations/senders/mailboxes'
import { perform } from '../../../../action.ts'

/** Where a vendor sends the browser after a sign-in. The state that it brings back is of this browser's session. */
export async function GET(request: Request, { params }: RouteContext<'/mailboxes/callback/[vendor]'>) {
  const { vendor } = await params
  const query = new URL(request.url).searchParams
  redirect(
    query.get('admin_consent') ? `/mailboxes/new?with=${vendor}&allowed=1` : await complete(vendor, query),
  )
}

/** The page that comes next: the mailbox, or where it was asked for, with what went wrong. */
async function complete(vendor: string, query: URLSearchParams): Promise<string> {
  try {
    const body = { vendor, query: query.toString() || '-' }
    const { mailbox_id } = await perform(oauth.completeMailboxOAuth, { body })
    await perform(testMailbox, { params: { mailbox_id } })
    return `/mailboxes/${mailbox_id}?connected=1`
  } catch (error) {
    if (error instanceof ValidationError) notFound()
    if (!(error instanceof AppError)) throw error
    return `/mailboxes/new?with=${encodeURIComponent(vendor)}&refused=${error.code}`
  }
}
