export type Arguments = Record<string, unknown>

export type ToolOperation = {
  name: string
  summary: string
  description: string
  reads: boolean
  sends: boolean
  /** JSON Schema of the arguments. */
  input: object
}

/** The operations that one caller may use. Every call checks the rights again and throws a refusal. */
export type Toolbox = {
  operations: readonly ToolOperation[]
  check: (name: string, given: Arguments) => void
  /** What the operation would do, from its own reads. */
  preview: (name: string, given: Arguments, signal: AbortSignal) => Promise<Arguments>
  /** A hash of what a call that sends would act on, as it is now; null where its arguments say everything. */
  content: (name: string, given: Arguments) => Promise<string | null>
  call: (name: string, given: Arguments, signal: AbortSignal) => Promise<Arguments>
  /** A refusal as it is told: its code and message, never a stack. */
  refusal: (error: unknown) => Arguments
  report: (error: unknown) => void
}
