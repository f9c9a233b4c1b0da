import { AddDmarcReports, ReadDmarcReports } from '#lib/contracts/domains/dmarc-reports'
import { operation } from '#lib/operations/operation'
import { addDmarcReports as add, dmarcSummary } from '#lib/services/domains/dmarc-reports'

export const readDmarcReports = operation(ReadDmarcReports, ({ user, params, now }) =>
  dmarcSummary(user.workspace_id, params.domain_id, now),
)

export const addDmarcReports = operation(AddDmarcReports, ({ user, params, body, now }) =>
  add(user.workspace_id, params.domain_id, body.file, now),
)
