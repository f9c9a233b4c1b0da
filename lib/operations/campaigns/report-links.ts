import { CreateReportLink, ListReportLinks, RevokeReportLink } from '#lib/contracts/campaigns/report-links'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/campaigns/reports/report-links'

export const listReportLinks = operation(ListReportLinks, ({ user, query }) =>
  service.listReportLinks(user, query),
)
export const createReportLink = operation(CreateReportLink, ({ user, body, now }) =>
  service.createReportLink(user, body, now),
)
export const revokeReportLink = operation(RevokeReportLink, ({ user, params }) =>
  service.revokeReportLink(user.workspace_id, params.report_link_id),
)
