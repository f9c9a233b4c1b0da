import { Search } from '#lib/contracts/workspaces/search'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/workspaces/search'

export const search = operation(Search, ({ user, query }) => service.search(user.workspace_id, query.q))
