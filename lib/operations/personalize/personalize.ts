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

export const personalize = operation(Personalize, ({ user, body }) => runs.startRun(user.user_id, body))
export const previewPersonalization = operation(PreviewPersonalization, ({ user, body }) =>
  runs.previewRun(user.user_id, body),
)
export const listPersonalizationRuns = operation(ListPersonalizationRuns, ({ user, query }) =>
  runs.listRuns(user.user_id, query),
)
export const readPersonalizationRun = operation(ReadPersonalizationRun, ({ user, params }) =>
  runs.getRun(user.user_id, params.run_id),
)
export const cancelPersonalizationRun = operation(CancelPersonalizationRun, ({ user, params, now }) =>
  runs.cancelRun(user.user_id, params.run_id, now),
)
export const approvePersonalizationRun = operation(ApprovePersonalizationRun, ({ user, params, body, now }) =>
  review.approveRun(user.user_id, params.run_id, body.include_flagged, now),
)
export const rejectPersonalizationRun = operation(RejectPersonalizationRun, ({ user, params }) =>
  review.rejectRun(user.user_id, params.run_id),
)
export const listGenerations = operation(ListGenerations, ({ user, params, query }) =>
  rows.listGenerations(user.user_id, params.run_id, query),
)
export const editGeneration = operation(EditGeneration, ({ user, params, body, now }) =>
  rows.editGeneration(user.user_id, params.generation_id, body, now),
)
export const regenerateGeneration = operation(RegenerateGeneration, ({ user, params, now }) =>
  rows.regenerateGeneration(user.user_id, params.generation_id, now),
)
export const approveGeneration = operation(ApproveGeneration, ({ user, params, now }) =>
  review.approveGeneration(user.user_id, params.generation_id, now),
)
export const rejectGeneration = operation(RejectGeneration, ({ user, params }) =>
  review.rejectGeneration(user.user_id, params.generation_id),
)
