/** Where somebody writes: a plain field, or the rich editor. */
export type Place = {
  /** Hears the keys, and is told what is chosen. */
  field: HTMLElement
  /** Where a list about the last letters before the caret stands within the frame. */
  locate: (letters: number) => { left: number; top: number } | null
  /** Hears of each change of the text; answers how to stop. */
  listen: (heard: () => void) => () => void
  /** The name of a field that is being typed; null: none is. */
  typedField: () => string | null
  /** Puts a field in the place of what is typed of it. */
  putField: (name: string) => void
  /** What stands before the caret in its line, as far as a template may be asked for there. */
  before: () => string
  /** Keeps the place of what is typed of a template; what it answers puts its words there, or says why it cannot. */
  hold: () => (body: string) => Promise<string | null>
}
