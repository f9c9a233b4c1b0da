import { ListCompanies, ReadCompany } from '#lib/contracts/leads/companies'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/people/companies'

export const listCompanies = operation(ListCompanies, ({ user, query }) =>
  service.listCompanies(user.workspace_id, query),
)
export const readCompany = operation(ReadCompany, ({ user, params, now }) =>
  service.readCompany(user.workspace_id, params.company_id, now),
)
