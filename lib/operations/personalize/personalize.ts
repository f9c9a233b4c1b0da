import {
  ApproveGeneration,
  EditGeneration,
  ListGenerations,
  RegenerateGeneration,
  RejectGeneration,
} from '#lib/contracts/personalize/generations'
import {
  ApprovePersonalizationRun,
  CancelPersonalizationRun,
  ListPersonalizationRuns,
  Personalize,
  PreviewPersonalization,
  ReadPersonalizationRun,
  RejectPersonalizationRun,
} from '#lib/contracts/personalize/personalize'
import { operation } from '#lib/operations/operation'
import * as review from '#lib/services/personalize/review'
import * as rows from '#lib/services/personalize/rows'
import * as runs from '#lib/services/personalize/runs'

export const personalize = operation(Personalize, ({ user, body, now }) =>
  runs.startRun(user.workspace_id, body, now),
)
export const previewPersonalization = operation(PreviewPersonalization, ({ user, body, now }) =>
  runs.previewRun(user.workspace_id, body, now),
)
export const listPersonalizationRuns = operation(ListPersonalizationRuns, ({ user, query }) =>
  runs.listRuns(user.workspace_id, query),
)
export const readPersonalizationRun = operation(ReadPersonalizationRun, ({ user, params }) =>
  runs.getRun(user.workspace_id, params.run_id),
)
export const cancelPersonalizationRun = operation(CancelPersonalizationRun, ({ user, params, now }) =>
  runs.cancelRun(user.workspace_id, params.run_id, now),
)
export const approvePersonalizationRun = operation(ApprovePersonalizationRun, ({ user, params, body, now }) =>
  review.approveRun(user.workspace_id, params.run_id, body.include_flagged, now),
)
export const rejectPersonalizationRun = operation(RejectPersonalizationRun, ({ user, params }) =>
  review.rejectRun(user.workspace_id, params.run_id),
)
export const listGenerations = operation(ListGenerations, ({ user, params, query }) =>
  rows.listGenerations(user.workspace_id, params.run_id, query),
)
export const editGeneration = operation(EditGeneration, ({ user, params, body, now }) =>
  rows.editGeneration(user.workspace_id, params.generation_id, body, now),
)
export const regenerateGeneration = operation(RegenerateGeneration, ({ user, params, now }) =>
  rows.regenerateGeneration(user.workspace_id, params.generation_id, now),
)
export const approveGeneration = operation(ApproveGeneration, ({ user, params, now }) =>
  review.approveGeneration(user.workspace_id, params.generation_id, now),
)
export const rejectGeneration = operation(RejectGeneration, ({ user, params }) =>
  review.rejectGeneration(user.workspace_id, params.generation_id),
)
