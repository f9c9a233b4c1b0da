import { type RenderInput, renderMessage } from '#lib/domain/messages/message'
import { AppError } from '#lib/errors'
import { readInboxThread } from '#lib/services/inbox/threads'
import { findSenderFields } from '#lib/services/inbox/written/deliver'
import { getTemplate } from '#lib/services/messages/templates'
import { workspaceTimezone } from '#lib/services/workspaces/users'

type Fields = Record<string, unknown>
type Named = { thread_id: string; template_id: string }

/** A template rendered for a reply to the person of a conversation. */
export async function readInboxTemplate(workspaceId: string, { thread_id, template_id }: Named, now: Date) {
  // Checked first, so that a user who may see neither always gets the same error.
  const thread = await readInboxThread(workspaceId, thread_id, now)
  const [template, timezone] = await Promise.all([
    getTemplate(workspaceId, template_id),
    workspaceTimezone(workspaceId),
  ])
  const input: RenderInput = {
    // A reply has its conversation's subject, but a text without a subject would be refused.
    template: { subject: '-', body: template.content.body },
    lead: { ...thread.lead?.data, email: thread.lead?.email ?? thread.counterpart_address },
    sender: await findSenderFields(workspaceId, thread),
    seed: thread_id,
    clock: { now, timezone },
  }
  const { text, missing } = withGaps(input)
  return { template_id, name: template.name, text, missing }
}

/**
 * Leaves visible gaps for missing fields: the user fills a visible gap, while a silently omitted one would be
 * sent.
 */
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
