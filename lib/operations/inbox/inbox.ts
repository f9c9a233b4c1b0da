import { ForwardInInbox } from '#lib/contracts/inbox/forward'
import {
  CheckInbox,
  ListInboxThreads,
  MarkInboxThreadRead,
  ReadInboxMessages,
  ReadInboxThread,
  UpdateInboxThread,
  UpdateInboxThreads,
} from '#lib/contracts/inbox/inbox'
import { DraftInboxReply, ReplyInInbox } from '#lib/contracts/inbox/inbox-answers'
import { DownloadInboxFile } from '#lib/contracts/inbox/inbox-files'
import { DeleteInboxLabel, ReadInboxLabels, SaveInboxLabel } from '#lib/contracts/inbox/inbox-labels'
import { ReadInboxTemplate } from '#lib/contracts/inbox/inbox-templates'
import { operation } from '#lib/operations/operation'
import { checkInbox as check } from '#lib/services/inbox/mailboxes/check'
import { readOwnMessages as listMessages } from '#lib/services/inbox/messages'
import { replyInInbox as reply } from '#lib/services/inbox/reply'
import { downloadInboxFile as download } from '#lib/services/inbox/thread/files'
import * as labels from '#lib/services/inbox/thread/labels'
import * as service from '#lib/services/inbox/threads'
import { draftInboxReply as draft } from '#lib/services/inbox/written/draft'
import { forwardInInbox as forward } from '#lib/services/inbox/written/forward'
import { readInboxTemplate as readTemplate } from '#lib/services/inbox/written/template-text'

export const listInboxThreads = operation(ListInboxThreads, ({ user, query, now }) =>
  service.listInboxThreads(user, query, now),
)
export const readInboxThread = operation(ReadInboxThread, ({ user, params, now }) =>
  service.readOwnThread(user, params.thread_id, now),
)
export const readInboxMessages = operation(ReadInboxMessages, async ({ user, params, now }) => ({
  messages: await listMessages(user, params.thread_id, now),
}))
export const downloadInboxFile = operation(DownloadInboxFile, ({ user, params, now }) =>
  download(user.workspace_id, params, now),
)
export const updateInboxThread = operation(UpdateInboxThread, ({ user, params, body, now }) =>
  service.updateInboxThread(user, params.thread_id, body, now),
)
export const updateInboxThreads = operation(UpdateInboxThreads, ({ user, body, now }) =>
  service.updateInboxThreads(user, body, now),
)
export const readInboxLabels = operation(ReadInboxLabels, async ({ user }) => ({
  labels: await labels.readInboxLabels(user.workspace_id),
}))
export const saveInboxLabel = operation(SaveInboxLabel, ({ user, body }) =>
  labels.saveInboxLabel(user.workspace_id, body),
)
export const deleteInboxLabel = operation(DeleteInboxLabel, ({ user, params }) =>
  labels.deleteInboxLabel(user.workspace_id, params.label_id),
)
export const draftInboxReply = operation(DraftInboxReply, ({ user, params, now }) =>
  draft(user, params.thread_id, now),
)
export const readInboxTemplate = operation(ReadInboxTemplate, ({ user, params, now }) =>
  readTemplate(user.workspace_id, params, now),
)
export const replyInInbox = operation(ReplyInInbox, ({ user, params, body, now }) =>
  reply(user, params.thread_id, body, now),
)
export const forwardInInbox = operation(ForwardInInbox, ({ user, params, body, now }) =>
  forward(user, params, body, now),
)
export const markInboxThreadRead = operation(MarkInboxThreadRead, ({ user, params, now }) =>
  service.updateInboxThread(user, params.thread_id, { unread: false }, now),
)
export const checkInbox = operation(CheckInbox, ({ user, now }) => check(user.workspace_id, now))
