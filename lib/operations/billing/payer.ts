import { EndParentPaying, LetParentPay, ReadPayer } from '#lib/contracts/billing/payer'
import { operation } from '#lib/operations/operation'
import * as payer from '#lib/services/billing/payer'

export const readPayer = operation(ReadPayer, ({ user, params, now }) =>
  payer.readPayer(user, params.workspace_id, now),
)
export const letParentPay = operation(LetParentPay, ({ user, params, now }) =>
  payer.letParentPay(user, params.workspace_id, now),
)
export const endParentPaying = operation(EndParentPaying, ({ user, params }) =>
  payer.endParentPaying(user, params.workspace_id),
)
