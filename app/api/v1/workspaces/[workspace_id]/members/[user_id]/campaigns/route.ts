import { routes } from '#lib/http/route'
import { readClientCampaigns, setClientCampaigns } from '#lib/operations/workspaces/client-campaigns'

export const { GET, POST, PUT, PATCH, DELETE, OPTIONS } = routes(readClientCampaigns, setClientCampaigns)
