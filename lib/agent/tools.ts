import { tool } from 'ai'
import { z } from 'zod'
import type { Arguments, Toolbox, ToolOperation } from '#lib/agent/toolbox'
import { asRecord } from '#lib/domain/text/record'
import { AppError } from '#lib/errors'
import type { Permit } from '#lib/services/assistant/turns'

const MOST_FOUND = 6
const MOST_CHARS = 24_000

const Call = z.object({
  operation: z.string().describe('The name of an operation.'),
  arguments: z.record(z.string(), z.json()).default({}),
})
type Call = z.output<typeof Call>

/** How well an operation matches a query: words found in its name count most. */
function likeness({ name, summary, description }: ToolOperation, words: string[]): number {
  const has = (text: string, word: string) => text.toLowerCase().includes(word)
  return words.reduce(
    (sum, word) =>
      sum + (has(name, word) ? 4 : 0) + (has(summary, word) ? 3 : 0) + (has(description, word) ? 1 : 0),
    0,
  )
}

function findOperations(operations: readonly ToolOperation[], query: string): ToolOperation[] {
  const words = query.toLowerCase().match(/[a-z]{3,}/g) ?? []
  return operations
    .map((operation) => ({ operation, score: operation.name === query ? 1_000 : likeness(operation, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score)
    .slice(0, MOST_FOUND)
    .map(({ operation }) => operation)
}

/**
 * A result between delimiters that it cannot forge: names, mails and pages are written by strangers and are data, not
 * instructions. A result longer than the limit is cut and marked as cut.
 */
function delimited(operation: string, value: unknown): string {
  const json = JSON.stringify(value).replaceAll('<', '\\u003c')
  const isCut = json.length > MOST_CHARS
  return `<data operation="${operation}"${isCut ? ' cut="true"' : ''}>\n${json.slice(0, MOST_CHARS)}\n</data>`
}

/** Whether a call needs the user's approval first. Unknown operations are refused when they are called. */
const asksFirst = (toolbox: Toolbox, name: string): boolean =>
  toolbox.operations.some((operation) => operation.name === name && !operation.reads)

/** True if the call would be refused anyway, so that nobody is asked for approval in vain. */
function isHopeless(toolbox: Toolbox, { operation, arguments: given }: Call): boolean {
  try {
    toolbox.check(operation, given)
    return false
  } catch {
    return true
  }
}

export const needsApproval = (toolbox: Toolbox, call: Call): boolean =>
  asksFirst(toolbox, call.operation) && !isHopeless(toolbox, call)

/**
 * Two tools for more than a hundred operations: one finds, one calls (decision 0009). A call that changes anything runs only
 * with a permit for exactly this call, and with the arguments that were stored when the user was asked.
 */
export function buildTools(toolbox: Toolbox, permits: Permit[], signal: AbortSignal) {
  const unused = new Map(permits.map((permit) => [permit.tool_call_id, permit]))
  async function perform({ operation, arguments: given }: Call, toolCallId: string): Promise<Arguments> {
    signal.throwIfAborted()
    if (!asksFirst(toolbox, operation)) return toolbox.call(operation, given, signal)
    toolbox.check(operation, given)
    const permitted = unused.get(toolCallId)
    if (!permitted) throw new Error(`${operation} was called without approval.`)
    unused.delete(toolCallId)
    const { content_hash } = permitted
    if (
      content_hash !== null &&
      content_hash !== (await toolbox.content(permitted.operation, permitted.arguments))
    )
      throw new AppError('confirmation_outdated')
    return toolbox.call(permitted.operation, permitted.arguments, signal)
  }
  return {
    find_operations: tool({
      description:
        'Finds operations and lists their arguments. Use this before you call one for the first time.',
      inputSchema: z.object({
        query: z.string().describe('What you want to do, or the name of an operation.'),
      }),
      execute: async ({ query }) => ({ operations: findOperations(toolbox.operations, query) }),
    }),
    call_operation: tool({
      description:
        'Calls an operation. Reading runs at once. Changes and sends are shown to the user first, with their exact effect, and run only if the user approves.',
      inputSchema: Call,
      execute: async (call, { toolCallId }) => {
        try {
          return { ok: true, result: await perform(call, toolCallId) }
        } catch (error) {
          signal.throwIfAborted()
          return { ok: false, error: toolbox.refusal(error) }
        }
      },
      toModelOutput: ({ input, output }) => ({
        type: 'text',
        value: delimited(String(asRecord(input).operation ?? ''), output),
      }),
    }),
  }
}
