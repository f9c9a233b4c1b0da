import type { z } from 'zod'
import type { SendSocialMessage } from '#lib/contracts/social/social-messages'
import type { Maker } from '#lib/domain/workspaces/maker'
import { type SocialProvider, SocialReadError } from '#lib/providers/social/port'
import { socialProvider } from '#lib/services/senders/social-provider'
import { sendChatMessage } from '#lib/services/social/chat-messages'
import { findAccount } from '#lib/services/social/connected-accounts'
import { refuseChat } from '#lib/services/social/listed'
import { resolvePerson } from '#lib/services/social/people'

type Body = z.output<typeof SendSocialMessage.body>
type Answer = z.input<typeof SendSocialMessage.response>

const failed = (error: string): Answer => ({ success: false, data: null, error })

/**
 * Sends one direct message, per the API document: a refusal by the provider is a result, not an error of ours. A message with unknown
 * outcome is not a success, is not resent automatically, and says so.
 */
export async function sendSocialMessage(
  { workspace_id, user_id }: Maker,
  { account_id, text, chat_id, provider_id, identifier }: Body,
  now: Date,
  given?: SocialProvider,
): Promise<Answer> {
  const account = await findAccount(workspace_id, account_id)
  if (account.status === 'disconnected') return failed('Reconnect the account.')
  const driver = given ?? socialProvider(account.driver)
  try {
    const person = identifier ? await resolvePerson(driver, account, identifier, now) : (provider_id ?? null)
    const to = { chat_id: chat_id ?? null, provider_id: person }
    const refusal = await refuseChat(account, to, identifier ?? null)
    if (refusal) return failed(refusal)
    const fate = await sendChatMessage(driver, account, to, { text, user_id }, now)
    switch (fate.delivery_status) {
      case 'sent':
        return {
          success: true,
          data: { chat_id: fate.chat_id ?? chat_id ?? null, message_id: fate.message_id },
          error: null,
        }
      case 'uncertain':
        return failed(`It is unclear whether the message was sent: ${fate.response}`)
      default:
        return failed(fate.response)
    }
  } catch (error) {
    if (error instanceof SocialReadError) return failed(error.message)
    throw error
  }
}
