import type { ToolUIPart, UIMessage } from 'ai'

type Effect = { title: string; sentences: string[]; fields: { label: string; value: string }[] }

/** A request for approval, in the server's words; cards of older conversations have no `effect`. */
export type Card = {
  approval_id: string
  summary: string
  sends?: boolean
  effect?: Effect
  arguments: object
  preview: object
}

type Call = { input: { query?: string; operation?: string }; output: { ok?: boolean } }
type Tools = { find_operations: Call; call_operation: Call }

/** A message in a conversation: text, calls of the two tools, and approval cards. */
export type TalkMessage = UIMessage<unknown, { approval: Card }, Tools>
export type TalkPart = TalkMessage['parts'][number]
export type TalkTool = ToolUIPart<Tools>

export type Resume = { approval_id: string; approved: boolean }
/** Fetches a token; called for each request, since tokens are short-lived. */
export type Token = () => Promise<string>
export type Ask = { said?: TalkMessage; resume?: Resume }

export const API = '/api/v1/agent'

/** Same as the library's own function, whose import would load the whole library. */
export const isTool = (part: TalkPart): part is TalkTool => part.type.startsWith('tool-')
