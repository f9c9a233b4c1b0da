import { ListSignIns } from '#lib/contracts/workspaces/sign-ins'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/sign-in/sign-ins'

export const listSignIns = operation(ListSignIns, ({ user, query }) =>
  service.listSignIns(user.user_id, query),
)
