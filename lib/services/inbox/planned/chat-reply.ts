import type { PoolClient } from 'pg'
import type { ThreadModel } from '#lib/db/generated/models'
import type { Maker } from '#lib/domain/workspaces/maker'
import { refuseFilesInChat, requireFitting } from '#lib/services/inbox/planned/drafts'
import { type Said, takeTurn, type Unnamed } from '#lib/services/inbox/planned/take'
import { NO_INTENT } from '#lib/services/inbox/thread/intents'
import { socialProvider } from '#lib/services/senders/social-provider'
import { sendChatMessage } from '#lib/services/social/chat-messages'
import { findAccount } from '#lib/services/social/connected-accounts'

/** Replies in a chat from the account the chat belongs to. */
export async function replyInChat(
  { workspace_id, user_id }: Maker,
  thread: ThreadModel,
  said: Said,
  now: Date,
): Promise<Unnamed> {
  const { text } = said
  requireFitting(thread, text)
  refuseFilesInChat(thread, said.attachment_ids)
  const account = await findAccount(workspace_id, thread.connected_account_id ?? '')
  const to = { chat_id: thread.chat_id, provider_id: thread.social_provider_id }
  const allow = (client: PoolClient, threadId: string) => takeTurn(client, threadId, said, now)
  const message = { text, user_id, allow, inbox_message_id: said.draft_id }
  const fate = await sendChatMessage(socialProvider(account.driver), account, to, message, now)
  return {
    inbox_message_id: fate.inbox_message_id,
    action_id: null,
    direction: 'out',
    kind: 'answer',
    step: null,
    action_type: null,
    from_address: account.handle ?? account.name,
    from_name: account.name,
    user_id,
    recipients: [],
    cc: [],
    bcc: [],
    subject: '',
    text,
    unreadable: null,
    html: null,
    attachments: [],
    attachments_kept: false,
    at: now,
    delivery_status: fate.delivery_status,
    response: fate.response,
    ...NO_INTENT,
  }
}
