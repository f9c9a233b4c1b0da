import type { FormAction } from '#components/ui/controls/action-form'

export type Forwarded = {
  inbox_message_id: string
  /** Who wrote the message. */
  of: string
  files: string[]
  /** Whether the files go with it. */
  areKept: boolean
  forward: FormAction
}
