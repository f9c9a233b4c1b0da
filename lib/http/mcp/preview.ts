import { isDryRun } from '#lib/contracts/contract'
import { AppError } from '#lib/errors'
import { type Caller, requireScope } from '#lib/http/auth'
import { type Arguments, call, rawInput, toolNamed, toRefusal } from '#lib/http/mcp/call'
import { CONFIRMATION, needsConfirmation } from '#lib/http/mcp/tool'
import { parseInput } from '#lib/http/parse'
import { contentHash } from '#lib/services/changes/confirmed-content'
import { issueGrant, redeemConfirmation } from '#lib/services/workspaces/confirmations'

type Asking = { caller: Caller; now: Date; signal: AbortSignal }

/** The arguments without the confirmation token. */
function bare(given: Arguments): Arguments {
  const { [CONFIRMATION]: _, ...rest } = given
  return rest
}

/** The result of one preview read. A refusal is part of the preview, except that a missing row refuses the whole preview. */
async function shown(name: string, own: object, given: Arguments, asking: Asking): Promise<unknown> {
  const tool = toolNamed(name)
  const shared = Object.entries(given).filter(([argument]) => tool.places.has(argument))
  try {
    return await call(tool, rawInput(tool, { ...Object.fromEntries(shared), ...own }), asking)
  } catch (error) {
    const refusal = toRefusal(error)
    if (refusal.status === 404 && error instanceof AppError) throw error
    return { error: refusal }
  }
}

/** The results of the reads that an operation names as its previews. The arguments are validated; nothing is changed. */
export async function describeCall(name: string, what: Arguments, asking: Asking): Promise<Arguments> {
  const tool = toolNamed(name)
  const { contract } = tool
  requireScope(asking.caller, contract)
  const { params, query, body } = parseInput(contract, rawInput(tool, what))
  // The preview uses the same defaults as the call.
  const whole = { ...(params as object), ...(query as object), ...(body as object), ...what }
  const preview: Arguments = {}
  for (const [read, own] of Object.entries(contract.previews ?? {}))
    preview[read] = await shown(read, own, whole, asking)
  if (contract.dry_run) preview.dry_run = await shown(name, { dry_run: 'true' }, whole, asking)
  return preview
}

/** A hash of the current state of everything that a call to this tool would act on. */
export function describeContent(name: string, given: Arguments, { caller }: Asking): Promise<string> {
  const { contract } = toolNamed(name)
  const { params, query, body } = parseInput(contract, rawInput(toolNamed(name), given))
  return contentHash(caller.workspace_id, {
    ...(params as object),
    ...(query as object),
    ...(body as object),
  })
}

/** Whether a call must be shown and confirmed before it runs. */
export async function asksFirst(name: string, given: Arguments, { caller, now }: Asking): Promise<boolean> {
  const tool = toolNamed(name)
  const input = parseInput(tool.contract, rawInput(tool, bare(given)))
  if (isDryRun(tool.contract, input.query)) return false
  return needsConfirmation(tool.contract) || (await tool.asks?.({ ...input, user: caller, now })) === true
}

/**
 * The first half of a sending tool: validates the arguments, changes nothing, and returns what would happen, with a token that
 * permits exactly this call once, within ten minutes.
 */
export async function previewCall(
  name: string,
  given: Arguments,
  asking: Asking,
  why = '',
): Promise<Arguments> {
  const { contract } = toolNamed(name)
  const { caller, now } = asking
  const what = bare(given)
  // Hashed before the preview is read: a change made during that read is then detected at the second call.
  const content_hash = await describeContent(name, what, asking)
  const preview = await describeCall(name, what, asking)
  const api_key_id = caller.credential === 'api_key' ? caller.credential_id : null
  const asked = {
    kind: 'confirmation' as const,
    workspace_id: caller.workspace_id,
    user_id: caller.user_id,
    api_key_id,
    tool: name,
    content_hash,
  }
  const { token, expires_at } = issueGrant({ ...asked, arguments: what }, now)
  return {
    status: 'confirmation_required',
    message: `Nothing was done yet. ${why}This would: ${contract.summary}. Show the user what it means; when they agree, call ${name} again with the same arguments and ${CONFIRMATION}.`,
    arguments: what,
    preview,
    [CONFIRMATION]: token,
    expires_at: expires_at.toISOString(),
  }
}

/**
 * The second half: the token must be for this user, this tool and these arguments, and is used up. If anything it would act on
 * has changed since the preview, a new preview is returned.
 */
export async function confirmedCall(name: string, given: Arguments, asking: Asking): Promise<Arguments> {
  const tool = toolNamed(name)
  const what = bare(given)
  // If scope or validation refuses the call, the token stays valid for another attempt.
  requireScope(asking.caller, tool.contract)
  const raw = rawInput(tool, what)
  parseInput(tool.contract, raw)
  const contentNow = () => describeContent(name, what, asking)
  const asked = {
    workspace_id: asking.caller.workspace_id,
    user_id: asking.caller.user_id,
    tool: name,
    arguments: what,
    contentNow,
  }
  const isSame = await redeemConfirmation(String(given[CONFIRMATION]), asked, asking.now)
  return isSame
    ? call(tool, raw, asking)
    : previewCall(name, what, asking, 'What it acts on was changed since it was shown, so it is shown anew. ')
}
