import {
  CreateTemplate,
  DeleteTemplate,
  ListTemplates,
  ReadTemplate,
  RenderTemplate,
  UpdateTemplate,
} from '#lib/contracts/messages/templates'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/messages/templates'
import { renderTemplate as render } from '#lib/services/messages/text-previews'

export const listTemplates = operation(ListTemplates, ({ user, query }) =>
  service.listTemplates(user.workspace_id, query),
)
export const createTemplate = operation(CreateTemplate, ({ user, body }) =>
  service.createTemplate(user, body),
)
export const readTemplate = operation(ReadTemplate, ({ user, params }) =>
  service.getTemplate(user.workspace_id, params.template_id),
)
export const updateTemplate = operation(UpdateTemplate, ({ user, params, body }) =>
  service.updateTemplate(user.workspace_id, params.template_id, body),
)
export const deleteTemplate = operation(DeleteTemplate, ({ user, params }) =>
  service.deleteTemplate(user.workspace_id, params.template_id),
)
export const renderTemplate = operation(RenderTemplate, ({ user, body }) => render(user.workspace_id, body))
