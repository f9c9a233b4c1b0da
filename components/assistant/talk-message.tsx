import type { ToolUIPart, UIMessage } from 'ai'

type Effect = { title: string; sentences: string[]; fields: { label: string; value: string }[] }

/** What asks for approval, as the server writes it; cards of conversations from before have no `effect`. */
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

/** What is said in a talk: words, calls of the two tools, and the cards that ask for approval. */
export type TalkMessage = UIMessage<unknown, { approval: Card }, Tools>
export type TalkPart = TalkMessage['parts'][number]
export type TalkTool = ToolUIPart<Tools>

export type Resume = { approval_id: string; approved: boolean }
/** Asked for anew with each request, since it is short-lived. */
export type Token = () => Promise<string>
export type Ask = { said?: TalkMessage; resume?: Resume }

export const API = '/api/v1/agent'

/** As the library's own, which would bring the rest of it. */
export const isTool = (part: TalkPart): part is TalkTool => part.type.startsWith('tool-')
