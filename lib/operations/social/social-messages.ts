import { SendSocialMessage } from '#lib/contracts/social/social-messages'
import { operation } from '#lib/operations/operation'
import { sendSocialMessage as send } from '#lib/services/social/messages'

export const sendSocialMessage = operation(SendSocialMessage, ({ user, body, now }) => send(user, body, now))
