import { routes } from '#lib/http/route'
import { readAccountSettings, updateAccountSettings } from '#lib/operations/workspaces/account-settings'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readAccountSettings, updateAccountSettings)
