import { ListResults } from '#lib/contracts/campaigns/results'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/campaigns/results'

export const listResults = operation(ListResults, ({ user, query }) => service.listResults(user, query))
