import {
  AuthorizeSheets,
  CompleteSheets,
  DisconnectSheets,
  FetchSheet,
  ReadSheetAccounts,
  ReadSheetLink,
  RemoveSheetLink,
} from '#lib/contracts/datasets/google-sheets'
import { operation } from '#lib/operations/operation'
import * as accounts from '#lib/services/leads/rows/sheets/accounts'
import * as links from '#lib/services/leads/rows/sheets/links'

export const readSheetAccounts = operation(ReadSheetAccounts, ({ user }) =>
  accounts.readSheetAccounts(user.workspace_id),
)
export const authorizeSheets = operation(AuthorizeSheets, ({ user, body, now }) =>
  accounts.authorizeSheets(user, body.dataset_id, now),
)
export const completeSheets = operation(CompleteSheets, ({ user, body, now }) =>
  accounts.completeSheets(user, body.query, now),
)
export const disconnectSheets = operation(DisconnectSheets, ({ user, params }) =>
  accounts.disconnectSheets(user.workspace_id, params.sheet_account_id),
)
export const readSheetLink = operation(ReadSheetLink, async ({ user, params }) => ({
  link: await links.readSheetLink(user.workspace_id, params.dataset_id),
}))
export const fetchSheet = operation(FetchSheet, ({ user, params, body, now }) =>
  links.fetchSheet(user.workspace_id, params.dataset_id, body, now),
)
export const removeSheetLink = operation(RemoveSheetLink, ({ user, params }) =>
  links.removeSheetLink(user.workspace_id, params.dataset_id),
)
