import { Search } from '#lib/contracts/search'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/search'

export const search = operation(Search, ({ user, query }) => service.search(user.user_id, query.q))
