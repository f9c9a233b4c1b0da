import { CreateView, DeleteView, ListViews, UpdateView } from '#lib/contracts/leads/views'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/people/views'

export const listViews = operation(ListViews, ({ user, query }) =>
  service.listViews(user.workspace_id, query),
)
export const createView = operation(CreateView, ({ user, body }) =>
  service.createView(user.workspace_id, body),
)
export const updateView = operation(UpdateView, ({ user, params, body }) =>
  service.updateView(user.workspace_id, params.view_id, body),
)
export const deleteView = operation(DeleteView, ({ user, params }) =>
  service.deleteView(user.workspace_id, params.view_id),
)
