import type { Caller } from '#lib/http/auth'
import { isOpenTo, refreshCaller, requireScope } from '#lib/http/auth'
import { log } from '#lib/http/log'
import { type Arguments, call, rawInput, toolNamed, tools, toRefusal } from '#lib/http/mcp/call'
import { asksFirst, describeCall, describeContent } from '#lib/http/mcp/preview'
import { CONFIRMATION } from '#lib/http/mcp/tool'
import { parseInput } from '#lib/http/parse'

type Schema = { properties?: Record<string, unknown>; [key: string]: unknown }

/** In the chat, the user confirms in the conversation and not by an argument. */
function withoutConfirmation({ properties, ...schema }: Schema) {
  const { [CONFIRMATION]: _, ...rest } = properties ?? {}
  return { ...schema, properties: rest }
}

/**
 * The operations that are the assistant's tools, for one caller: what the credential permits, except operations that need a file
 * or that only a person may do. The agent asks for approval before it calls; here the rights are checked again at each call,
 * since they may have been reduced during the conversation. Changes are logged as the assistant's.
 */
export function createToolbox(caller: Caller) {
  const open = [...tools.values()].filter(
    ({ contract, neededFile }) => isOpenTo(caller, contract) && !contract.jwt_only && neededFile === null,
  )
  const names = new Set(open.map(({ contract }) => contract.id))
  const checked = (name: string, given: Arguments) => {
    // A tool that is not permitted and one that does not exist give the same answer.
    const tool = toolNamed(names.has(name) ? name : '')
    requireScope(caller, tool.contract)
    const raw = rawInput(tool, given)
    parseInput(tool.contract, raw)
    return { tool, raw }
  }
  return {
    operations: open.map(({ contract, tool }) => ({
      name: contract.id,
      summary: contract.summary,
      description: contract.description ?? '',
      reads: tool.annotations?.readOnlyHint === true,
      sends: contract.scope === 'send',
      input: withoutConfirmation(tool.inputSchema as Schema),
    })),
    check: (name: string, given: Arguments): void => void checked(name, given),
    preview: async (name: string, given: Arguments, signal: AbortSignal) => {
      const now = new Date()
      return describeCall(name, given, { caller: await refreshCaller(caller, now), now, signal })
    },
    content: async (name: string, given: Arguments) => {
      const now = new Date()
      const asking = { caller: await refreshCaller(caller, now), now, signal: new AbortController().signal }
      return (await asksFirst(name, given, asking)) ? describeContent(name, given, asking) : null
    },
    call: async (name: string, given: Arguments, signal: AbortSignal) => {
      const now = new Date()
      const { tool, raw } = checked(name, given)
      return call(tool, raw, { caller: await refreshCaller(caller, now), now, signal })
    },
    refusal: toRefusal,
    report: (error: unknown) =>
      log().error({ err: error, workspace_id: caller.workspace_id }, 'the assistant failed'),
  }
}
