import { CreateForm, DeleteForm, ListForms, UpdateForm } from '#lib/contracts/leads/forms'
import { operation } from '#lib/operations/operation'
import * as service from '#lib/services/leads/forms/forms'

export const listForms = operation(ListForms, ({ user, params, query }) =>
  service.listForms(user.workspace_id, params.dataset_id, query),
)
export const createForm = operation(CreateForm, ({ user, params, body }) =>
  service.createForm(user, params.dataset_id, body),
)
export const updateForm = operation(UpdateForm, ({ user, params, body }) =>
  service.updateForm(user, params, body),
)
export const deleteForm = operation(DeleteForm, ({ user, params }) =>
  service.deleteForm(user.workspace_id, params),
)
