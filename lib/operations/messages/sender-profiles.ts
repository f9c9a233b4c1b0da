import {
  CreateSenderProfile,
  DeleteSenderProfile,
  ListSenderProfiles,
  ReadSenderProfile,
  UpdateSenderProfile,
} from '#lib/contracts/messages/sender-profiles'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/messages/sender-profiles'

export const listSenderProfiles = operation(ListSenderProfiles, ({ user, query }) =>
  service.listSenderProfiles(user.workspace_id, query),
)
export const createSenderProfile = operation(CreateSenderProfile, ({ user, body }) =>
  service.createSenderProfile(user, body),
)
export const readSenderProfile = operation(ReadSenderProfile, ({ user, params }) =>
  service.getSenderProfile(user.workspace_id, params.id),
)
export const updateSenderProfile = operation(UpdateSenderProfile, ({ user, params, body }) =>
  service.updateSenderProfile(user.workspace_id, params.id, body),
)
export const deleteSenderProfile = operation(DeleteSenderProfile, ({ user, params }) =>
  service.deleteSenderProfile(user.workspace_id, params.id),
)
