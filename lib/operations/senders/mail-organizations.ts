import {
  ConnectOrganizationMailboxes,
  CreateMailOrganization,
  DeleteMailOrganization,
  ReadMailOrganization,
  ReadMailOrganizations,
  UpdateMailOrganization,
} from '#lib/contracts/senders/mail-organizations'
import { operation } from '#lib/operations/operation'
import { connectOrganizationMailboxes as connect } from '#lib/services/senders/grants/organizations/connect-mailboxes'
import * as service from '#lib/services/senders/grants/organizations/organizations'

export const readMailOrganizations = operation(ReadMailOrganizations, ({ user }) =>
  service.listOrganizations(user.workspace_id),
)
export const createMailOrganization = operation(CreateMailOrganization, ({ user, body, now }) =>
  service.createOrganization(user.workspace_id, body, now),
)
export const readMailOrganization = operation(ReadMailOrganization, ({ user, params }) =>
  service.getOrganization(user.workspace_id, params.organization_id),
)
export const updateMailOrganization = operation(UpdateMailOrganization, ({ user, params, body, now }) =>
  service.updateOrganization(user.workspace_id, params.organization_id, body, now),
)
export const deleteMailOrganization = operation(DeleteMailOrganization, ({ user, params }) =>
  service.deleteOrganization(user.workspace_id, params.organization_id),
)
export const connectOrganizationMailboxes = operation(
  ConnectOrganizationMailboxes,
  ({ user, params, body, now }) =>
    connect(user.workspace_id, params.organization_id, body.mailboxes, { now }),
)
