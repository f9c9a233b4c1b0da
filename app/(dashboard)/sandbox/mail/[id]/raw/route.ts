import { ReadSandboxMessage } from '#lib/contracts/sandbox/sandbox'
import { requireUser } from '#lib/http/session'
import { readRawMail } from '#lib/services/senders/sandbox'
import { orNotFound, parseParams } from '../../../../../page-input.ts'

/** The raw email, to open in a mail program. */
export async function GET(_request: Request, { params }: RouteContext<'/sandbox/mail/[id]/raw'>) {
  const user = await requireUser()
  const { id } = await params
  const { sandbox_message_id } = parseParams(ReadSandboxMessage.params, { sandbox_message_id: id })
  const raw = await orNotFound(readRawMail(user.workspace_id, sandbox_message_id))
  return new Response(raw, {
    headers: {
      'Content-Type': 'message/rfc822',
      'Content-Disposition': `attachment; filename="${sandbox_message_id}.eml"`,
      'X-Content-Type-Options': 'nosniff',
    },
  })
}
