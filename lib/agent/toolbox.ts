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
  /** What the operation would do, read through the operations that it names as its previews. */
  preview: (name: string, given: Arguments, signal: AbortSignal) => Promise<Arguments>
  /** A hash of the current state of everything a sending call would act on; null if its arguments determine the effect completely. */
  content: (name: string, given: Arguments) => Promise<string | null>
  call: (name: string, given: Arguments, signal: AbortSignal) => Promise<Arguments>
  /** A refusal as shown to the model: its code and message, never a stack. */
  refusal: (error: unknown) => Arguments
  report: (error: unknown) => void
}
