import { publicKeys } from '#lib/services/workspaces/tokens'

export const dynamic = 'force-dynamic'

export const GET = async () =>
  Response.json(await publicKeys(), { headers: { 'Cache-Control': 'public, max-age=300' } })
