import { Liquid } from 'liquidjs'

const liquid = new Liquid({ parseLimit: 200_000 })

export type SyntaxProblem = { field: 'subject' | 'body'; line: number; column: number; message: string }

function problemIn(field: SyntaxProblem['field'], source: string): SyntaxProblem | null {
  try {
    liquid.parse(source)
    return null
  } catch (error) {
    const token = (error as { token?: { getPosition?: () => [number, number] } }).token
    const [line, column] = token?.getPosition?.() ?? [1, 1]
    return {
      field,
      line,
      column,
      message: String((error as Error).message).replace(/, line:\d+, col:\d+$/, ''),
    }
  }
}

/** What keeps a template from being Liquid; empty when it parses. */
export function syntaxProblems(content: { subject: string; body: string }): SyntaxProblem[] {
  return [problemIn('subject', content.subject), problemIn('body', content.body)].filter(
    (problem) => problem !== null,
  )
}
