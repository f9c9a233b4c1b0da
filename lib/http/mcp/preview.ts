import { AppError } from '#lib/errors'
import { type Caller, requireScope } from '#lib/http/auth'
import { type Arguments, act, rawInput, refusalOf, toolNamed } from '#lib/http/mcp/call'
import { CONFIRMATION } from '#lib/http/mcp/tool'
import { parseInput } from '#lib/http/parse'
import { issueGrant, redeemConfirmation } from '#lib/services/grants'

type Asking = { caller: Caller; now: Date; signal: AbortSignal }

/** The arguments without the token that confirms them. */
function bare(given: Arguments): Arguments {
  const { [CONFIRMATION]: _, ...rest } = given
  return rest
}

/** What one read shows of it; a refusal is shown too, but a row that is not there refuses the whole preview. */
async function shown(name: string, own: object, given: Arguments, asking: Asking): Promise<unknown> {
  const tool = toolNamed(name)
  const shared = Object.entries(given).filter(([argument]) => tool.places.has(argument))
  try {
    return await act(tool, rawInput(tool, { ...Object.fromEntries(shared), ...own }), asking)
  } catch (error) {
    const refusal = refusalOf(error)
    if (refusal.status === 404 && error instanceof AppError) throw error
    return { error: refusal }
  }
}

/** What the reads show that an operation names as its previews; the arguments are checked, nothing is done. */
export async function previewOf(name: string, what: Arguments, asking: Asking): Promise<Arguments> {
  const tool = toolNamed(name)
  const { contract } = tool
  requireScope(asking.caller, contract)
  const { params, query, body } = parseInput(contract, rawInput(tool, what))
  // A default that the call would take, the preview takes too.
  const whole = { ...(params as object), ...(query as object), ...(body as object), ...what }
  const preview: Arguments = {}
  for (const [read, own] of Object.entries(contract.previews ?? {}))
    preview[read] = await shown(read, own, whole, asking)
  return preview
}

/**
 * The first half of a sending tool: the arguments are checked, nothing is done, and the answer says what would be,
 * with a token that permits exactly this once, for ten minutes.
 */
export async function previewCall(name: string, given: Arguments, asking: Asking): Promise<Arguments> {
  const { contract } = toolNamed(name)
  const { caller, now } = asking
  const what = bare(given)
  const preview = await previewOf(name, what, asking)
  const api_key_id = caller.credential === 'api_key' ? caller.credential_id : null
  const asked = { kind: 'confirmation' as const, user_id: caller.user_id, api_key_id, tool: name }
  const { token, expires_at } = issueGrant({ ...asked, arguments: what }, now)
  return {
    status: 'confirmation_required',
    message: `Nothing was done yet. This would: ${contract.summary}. Show the user what it means; when they agree, call ${name} again with the same arguments and ${CONFIRMATION}.`,
    arguments: what,
    preview,
    [CONFIRMATION]: token,
    expires_at: expires_at.toISOString(),
  }
}

/** The second half: the token must be for this user, this tool and these arguments, and is used up. */
export async function confirmedCall(name: string, given: Arguments, asking: Asking): Promise<Arguments> {
  const tool = toolNamed(name)
  const what = bare(given)
  // Refused by scope or by content, the token is kept for a second try.
  requireScope(asking.caller, tool.contract)
  const raw = rawInput(tool, what)
  parseInput(tool.contract, raw)
  const asked = { user_id: asking.caller.user_id, tool: name, arguments: what }
  await redeemConfirmation(String(given[CONFIRMATION]), asked, asking.now)
  return act(tool, raw, asking)
}
