import { type RenderInput, renderMessage } from '#lib/domain/messages/message'
import { AppError } from '#lib/errors'
import { readInboxThread } from '#lib/services/inbox/threads'
import { findSenderFields } from '#lib/services/inbox/written/deliver'
import { getTemplate } from '#lib/services/messages/templates'
import { workspaceTimezone } from '#lib/services/workspaces/users'

type Fields = Record<string, unknown>
type Named = { thread_id: string; template_id: string }

/** A template as an answer says it to the person of a conversation. */
export async function readInboxTemplate(workspaceId: string, { thread_id, template_id }: Named, now: Date) {
  // First, so that whoever may see neither hears of the same one each time.
  const thread = await readInboxThread(workspaceId, thread_id, now)
  const [template, timezone] = await Promise.all([
    getTemplate(workspaceId, template_id),
    workspaceTimezone(workspaceId),
  ])
  const input: RenderInput = {
    // An answer has the subject of its conversation; a text without one is refused.
    template: { subject: '-', body: template.content.body },
    lead: { ...thread.lead?.data, email: thread.lead?.email ?? thread.counterpart_address },
    sender: await findSenderFields(workspaceId, thread),
    seed: thread_id,
    clock: { now, timezone },
  }
  const { text, missing } = withGaps(input)
  return { template_id, name: template.name, text, missing }
}

/** A gap that somebody sees is filled by them; one that is silently left out is sent. */
function withGaps(input: RenderInput): { text: string; missing: string[] } {
  const first = renderMessage(input)
  if (first.ok) return { text: first.message.text, missing: [] }
  const missing = first.problems.flatMap(({ code, names }) => (code === 'missing_fields' ? names : []))
  const second = renderMessage({ ...input, ...filled(input, missing) })
  if (second.ok) return { text: second.message.text, missing }
  throw new AppError('message_impossible', {
    message: second.problems.map(({ message }) => message).join(' '),
  })
}

function filled({ lead, sender }: Pick<RenderInput, 'lead' | 'sender'>, names: string[]) {
  const gaps = (of: Fields, prefix: string): Fields => ({
    ...of,
    ...Object.fromEntries(
      names
        .filter((name) => name.startsWith('sender.') === (prefix !== ''))
        .map((name) => [name.slice(prefix.length), `[${name}]`]),
    ),
  })
  return { lead: gaps(lead, ''), sender: gaps(sender, 'sender.') }
}
