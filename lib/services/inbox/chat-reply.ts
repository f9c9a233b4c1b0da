import type { PoolClient } from 'pg'
import type { z } from 'zod'
import type { InboxMessage, ReplyInInbox } from '#lib/contracts/inbox/inbox'
import type { ThreadModel } from '#lib/db/generated/models'
import type { Maker } from '#lib/domain/workspaces/maker'
import { invalid } from '#lib/errors'
import { requireSeen } from '#lib/services/inbox/thread/collision'
import { NO_INTENT } from '#lib/services/inbox/thread/intents'
import { socialProvider } from '#lib/services/senders/social-provider'
import { sendChatMessage } from '#lib/services/social/chat-messages'
import { findAccount } from '#lib/services/social/connected-accounts'

const MOST = 8_000

export type Reply = z.output<typeof ReplyInInbox.body>
/** An answer as it was written, but for its writer's name. */
export type Unnamed = Omit<InboxMessage, 'at' | 'author_name'> & { at: Date }

/** Answers in a chat, from the account that it is held from. */
export async function replyInChat(
  { workspace_id, user_id }: Maker,
  thread: ThreadModel,
  { text, last_message_id }: Reply,
  now: Date,
): Promise<Unnamed> {
  if (text.length > MOST) throw invalid(['body', 'text'], `a chat takes at most ${MOST} characters`)
  const account = await findAccount(workspace_id, thread.connected_account_id ?? '')
  const to = { chat_id: thread.chat_id, provider_id: thread.social_provider_id }
  const allow = (client: PoolClient, threadId: string) => requireSeen(client, threadId, last_message_id, now)
  const said = { text, user_id, allow }
  const fate = await sendChatMessage(socialProvider(account.driver), account, to, said, now)
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
    subject: '',
    text,
    unreadable: null,
    html: null,
    attachments: [],
    at: now,
    delivery_status: fate.delivery_status,
    response: fate.response,
    ...NO_INTENT,
  }
}
