import {
  ConnectMailboxes,
  ConnectSandboxMailbox,
  CreateMailbox,
  DeleteMailbox,
  FindMailServers,
  ListMailboxes,
  ReadMailbox,
  TestMailbox,
  UpdateMailbox,
} from '#lib/contracts/senders/mailboxes'
import { operation } from '#lib/operations/operation'
import { testServers } from '#lib/services/inbox/mailboxes/test-servers'
import { connectMany } from '#lib/services/senders/connect-many'
import { dnsProvider } from '#lib/services/senders/discovery/dns-provider'
import { findServers } from '#lib/services/senders/discovery/find-servers'
import { mailConfig } from '#lib/services/senders/discovery/mail-config'
import * as service from '#lib/services/senders/mailboxes'
import { connectSandbox } from '#lib/services/senders/sandbox-mailbox'

export const listMailboxes = operation(ListMailboxes, ({ user, query, now }) =>
  service.listMailboxes(user.workspace_id, query, now),
)
export const createMailbox = operation(CreateMailbox, ({ user, body, now }) =>
  service.createMailbox(user.workspace_id, body, now),
)
export const connectMailboxes = operation(ConnectMailboxes, ({ user, body, now }) => {
  const dns = dnsProvider()
  return connectMany(user.workspace_id, body.csv, { now, dns, config: mailConfig(dns), test: testServers })
})
export const readMailbox = operation(ReadMailbox, ({ user, params, now }) =>
  service.getMailbox(user.workspace_id, params.mailbox_id, now),
)
export const updateMailbox = operation(UpdateMailbox, ({ user, params, body, now }) =>
  service.updateMailbox(user.workspace_id, params.mailbox_id, body, now),
)
export const deleteMailbox = operation(DeleteMailbox, ({ user, params }) =>
  service.deleteMailbox(user.workspace_id, params.mailbox_id),
)
export const testMailbox = operation(TestMailbox, ({ user, params, now }) =>
  testServers(user.workspace_id, params.mailbox_id, now),
)
export const findMailServers = operation(FindMailServers, ({ query }) => {
  const dns = dnsProvider()
  return findServers(query.address, dns, mailConfig(dns))
})
export const connectSandboxMailbox = operation(ConnectSandboxMailbox, ({ user, now }) =>
  connectSandbox(user, now),
)
