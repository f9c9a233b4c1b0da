import type { AttachActs } from '#components/messages/attached/use-attached'
import type { FormAction } from '#components/ui/controls/action-form'
import type { InboxMessage } from '#lib/contracts/inbox/inbox'

export type Forwarded = {
  inbox_message_id: string
  /** Who wrote the message. */
  of: string
  files: InboxMessage['attachments']
  /** Whether they are at hand; otherwise they are read from the mailbox as the message goes on. */
  areKept: boolean
  attach: AttachActs
  forward: FormAction
}
