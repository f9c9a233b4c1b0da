import type { InboxMessage } from '#lib/contracts/inbox/inbox'
import type { ThreadModel } from '#lib/db/generated/models'
import { invalid } from '#lib/errors'
import { socialProvider } from '#lib/services/senders/social-provider'
import { sendChatMessage } from '#lib/services/social/chat-messages'
import { findAccount } from '#lib/services/social/connected-accounts'

const MOST = 8_000

/** Answers in a chat, from the account that it is held from. */
export async function replyInChat(
  workspaceId: string,
  thread: ThreadModel,
  text: string,
  now: Date,
): Promise<Omit<InboxMessage, 'at'> & { at: Date }> {
  if (text.length > MOST) throw invalid(['body', 'text'], `a chat takes at most ${MOST} characters`)
  const account = await findAccount(workspaceId, thread.connected_account_id ?? '')
  const to = { chat_id: thread.chat_id, provider_id: thread.social_provider_id }
  const fate = await sendChatMessage(socialProvider(account.driver), account, to, text, now)
  return {
    inbox_message_id: fate.inbox_message_id,
    action_id: null,
    direction: 'out',
    kind: 'answer',
    step: null,
    action_type: null,
    from_address: account.handle ?? account.name,
    from_name: account.name,
    subject: '',
    text,
    unreadable: null,
    html: null,
    attachments: [],
    at: now,
    delivery_status: fate.delivery_status,
    response: fate.response,
  }
}
