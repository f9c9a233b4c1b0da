import type { AttachActs } from '#components/messages/attached/use-attached'
import type { FormAction } from '#components/ui/controls/action-form'
import type { InboxMessage } from '#lib/contracts/inbox/inbox'

export type Forwarded = {
  inbox_message_id: string
  /** The message's author. */
  of: string
  files: InboxMessage['attachments']
  /** Whether the files are stored; otherwise they are read from the mailbox on forwarding. */
  areKept: boolean
  attach: AttachActs
  forward: FormAction
}
