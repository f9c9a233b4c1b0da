import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { type Caller, requireScope } from '#lib/http/auth'
import { type Arguments, call, rawInput, toolNamed } from '#lib/http/mcp/call'
import { readForm } from '#lib/http/parse'
import { readSender } from '#lib/http/peer'
import { issueGrant, redeemGrant } from '#lib/services/workspaces/confirmations'
import { activeKey } from '#lib/services/workspaces/key-admission'
import { userOfSession } from '#lib/services/workspaces/sign-in/sessions'
import { actorOfUser } from '#lib/services/workspaces/tokens'

/** True if a tool requires a file and was called without one. */
export function lacksFile(name: string, given: Arguments): boolean {
  const { neededFile } = toolNamed(name)
  return neededFile !== null && given[neededFile] === undefined
}

/** An upload address: it takes the file and then runs the tool with it. It works once, within ten minutes. */
export function uploadCall(name: string, given: Arguments, caller: Caller, now: Date): Arguments {
  const tool = toolNamed(name)
  requireScope(caller, tool.contract)
  rawInput(tool, given)
  const api_key_id = caller.credential === 'api_key' ? caller.credential_id : null
  const asked = {
    kind: 'upload' as const,
    workspace_id: caller.workspace_id,
    user_id: caller.user_id,
    api_key_id,
    ...(caller.session_id && { session_id: caller.session_id }),
    tool: name,
    content_hash: null,
  }
  const { token, expires_at } = issueGrant({ ...asked, arguments: given }, now)
  const upload_url = `${env().APP_URL.replace(/\/$/, '')}/mcp/uploads/${token}`
  return {
    status: 'upload_required',
    message: `Send the file to upload_url as the form field "${tool.neededFile}"; the answer is this tool's own. It works once, and needs no other credential.`,
    upload_url,
    example: `curl -F ${tool.neededFile}=@leads.csv '${upload_url}'`,
    expires_at: expires_at.toISOString(),
  }
}

/** Runs the call that an upload address stands for, with the uploaded file. */
export async function receiveUpload(request: Request, token: string, now: Date): Promise<Arguments> {
  const grant = await redeemGrant(token, 'upload', now)
  const user = await actorOfUser(grant.user_id, grant.workspace_id)
  const isSignedOut =
    grant.session_id !== undefined && !(await userOfSession(grant.user_id, grant.session_id, now))
  if (!user || isSignedOut) throw new AppError('unauthenticated')
  const sender = readSender(request.headers)
  const key = grant.api_key_id ? await activeKey(grant.api_key_id, user.role, sender, now) : null
  if (grant.api_key_id && !key) throw new AppError('unauthenticated')
  const tool = toolNamed(grant.tool)
  const name = tool.neededFile ?? 'file'
  const { [name]: file } = await readForm(request, tool.contract.max_bytes ?? 0)
  const raw = rawInput(tool, grant.arguments ?? {})
  // If an API key requested the address, the call runs as that key, with its current rights.
  const by = key && { ...key, credential: 'api_key' as const }
  const caller: Caller = { ...user, ...by, credential_id: grant.api_key_id ?? user.credential_id }
  return call(
    tool,
    { ...raw, body: { ...(raw.body as object), [name]: file } },
    { caller, now, signal: request.signal },
  )
}
