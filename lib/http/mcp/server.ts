import { type CallToolResult, createMcpHandler, Server } from '@modelcontextprotocol/server'
import { env } from '#lib/env'
import { AppError } from '#lib/errors'
import { authenticate, type Caller, isOpenTo, requireScope } from '#lib/http/auth'
import { log } from '#lib/http/log'
import { type Arguments, call, rawInput, toolNamed, tools, toRefusal } from '#lib/http/mcp/call'
import { asksFirst, confirmedCall, previewCall } from '#lib/http/mcp/preview'
import { CONFIRMATION } from '#lib/http/mcp/tool'
import { lacksFile, uploadCall } from '#lib/http/mcp/upload'
import { readJson } from '#lib/http/parse'
import { limitRate } from '#lib/http/rate-limit'

const MOST_BYTES = 4 * 1024 * 1024
const INSTRUCTIONS = `Opener sends campaigns of several steps to leads out of spreadsheets, each step at most once per lead.
A campaign: importSpreadsheet, wait until readDataset says completed, createCampaign with steps_config, readLaunchChecks, forecastCampaign, launchCampaign.
Tools that send, and changes of launched campaigns, answer first with a preview and a ${CONFIRMATION}; call them again with it once the user agrees. Where what they would act on was changed meanwhile, they answer with the new preview and another token.
Errors have a stable code. After a failed create, list before you try again.`

async function answer(
  name: string,
  given: Arguments,
  caller: Caller,
  signal: AbortSignal,
): Promise<Arguments> {
  const asking = { caller, now: new Date(), signal }
  const tool = toolNamed(name)
  requireScope(caller, tool.contract)
  if (lacksFile(name, given)) return uploadCall(name, given, caller, asking.now)
  if (!(await asksFirst(name, given, asking))) return call(tool, rawInput(tool, given), asking)
  return given[CONFIRMATION] === undefined
    ? previewCall(name, given, asking)
    : confirmedCall(name, given, asking)
}

async function callTool(
  name: string,
  given: Arguments,
  caller: Caller,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const outcome = await answer(name, given, caller, signal).then(
    (value) => ({ value, isError: false }),
    (error: unknown) => ({ value: toRefusal(error), isError: true }),
  )
  // JSON has no undefined, and the value that is validated later must be the one that was written.
  const text = JSON.stringify(outcome.value)
  return { content: [{ type: 'text', text }], structuredContent: JSON.parse(text), isError: outcome.isError }
}

/** A server for one request, which lists only the tools its credential may call. */
function serverFor(caller: Caller): Server {
  const server = new Server(
    { name: 'opener', title: 'Opener', version: '1.0.0', websiteUrl: env().APP_URL },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS },
  )
  server.setRequestHandler('tools/list', () => ({
    tools: [...tools.values()].filter(({ contract }) => isOpenTo(caller, contract)).map(({ tool }) => tool),
  }))
  server.setRequestHandler('tools/call', ({ params }, { mcpReq }) =>
    callTool(params.name, params.arguments ?? {}, caller, mcpReq.signal),
  )
  return server
}

const handler = createMcpHandler(({ authInfo }) => serverFor(authInfo?.extra?.caller as Caller), {
  maxRequestBodySize: MOST_BYTES,
  onerror: (error) => log().debug({ err: error }, 'mcp'),
})

/** Refuses foreign origins: a page of another site must not reach an instance through its visitor's browser (DNS rebinding). */
function refuseForeignOrigin(request: Request): void {
  const origin = request.headers.get('origin')
  if (origin !== null && origin !== new URL(env().APP_URL).origin)
    throw new AppError('forbidden', { message: 'Requests from other sites are not accepted.' })
}

/** MCP over streamable HTTP, without sessions; supports the current revision of the protocol and older ones. */
export async function serveMcp(request: Request): Promise<Response> {
  refuseForeignOrigin(request)
  const now = new Date()
  const caller = await authenticate(request, now)
  const authInfo = {
    token: '',
    clientId: caller.credential_id,
    scopes: [...caller.scopes],
    extra: { caller },
  }
  if (request.method !== 'POST') return handler.fetch(request, { authInfo })
  const parsedBody = await readJson(request, MOST_BYTES)
  if (parsedBody === undefined) throw new AppError('bad_request')
  // Tool calls count against the rate limit of their operation.
  const isCall = (parsedBody as { method?: unknown } | undefined)?.method === 'tools/call'
  if (!isCall) await limitRate({ method: 'GET' }, caller, now)
  return handler.fetch(request, { authInfo, parsedBody })
}
